// @ts-check
import { slotsOf } from './slots.mjs';

/**
 * A period in which one schedule was durably armed, by the clock of the service: its slots are later than `after` and not
 * after `end`. Those up to `surely` must have a row.
 *
 * @typedef {{
 *   trigger: string, when: import('./slots.mjs').When, anchor: number, after: number, end: number, surely: number,
 *   edit: import('./bench.mjs').Edit,
 * }} Epoch
 */

// Times are recorded in whole milliseconds.
const ROUNDING_MS = 2;

/**
 * The periods in which a trigger was armed, from what the service reports, compared with what was requested.
 *
 * @param {import('./bench.mjs').Bench} bench
 * @param {string} name
 * @param {import('./check.mjs').Evidence} evidence
 * @param {(text: string) => void} report
 * @returns {Epoch[]}
 */
export function epochsOf(bench, name, evidence, report) {
  const { clock } = bench;
  const all = bench.edits.filter(({ wanted, isSchedule }) => isSchedule && wanted.name === name);
  // In rounds that set the clock back, schedules do not change until everything is disabled.
  const edits = bench.plan.kind === 'clock' ? all.slice(0, 1) : all;
  const armed = (evidence.changes.get(name) ?? []).filter(({ kind }) => kind === 'armed');
  // A clock that is set back causes a new arming with the same grid.
  const anchors = [...new Set(armed.map(({ anchor }) => Date.parse(anchor)))];
  /** @type {Epoch[]} */
  const epochs = [];
  for (const [n, anchor] of anchors.entries()) {
    const edit = edits.findLast(
      ({ from }, at) => at === 0 || clock.at(from) <= anchor + ROUNDING_MS,
    );
    if (edit === undefined || !edit.wanted.enabled) {
      report(`${name} was armed at ${iso(anchor)}, without an edit`);
      continue;
    }
    if (epochs.at(-1)?.edit === edit)
      report(`the grid of ${name} was moved to ${iso(anchor)} without an edit`);
    epochs.push({
      ...stretchOf(bench, evidence, { edits, edit, anchor, next: anchors[n + 1] }),
      trigger: name,
    });
  }
  reportUnarmed(edits, epochs, name, report);
  return epochs;
}

/**
 * @param {import('./bench.mjs').Bench} bench
 * @param {import('./check.mjs').Evidence} evidence
 * @param {{ edits: import('./bench.mjs').Edit[], edit: import('./bench.mjs').Edit, anchor: number, next: number | undefined }} arming
 */
function stretchOf(
  { clock, plan },
  evidence,
  { edits, edit, anchor, next = Number.POSITIVE_INFINITY },
) {
  const { when, name } = edit.wanted;
  const seen = endOf(edits, edit);
  const ended = seen === null ? Number.POSITIVE_INFINITY : clock.at(seen);
  const isLast = ended >= evidence.cut && next === Number.POSITIVE_INFINITY;
  const after = plan.kind === 'clock' ? Math.min(anchor, earliest(evidence, name) - 1) : anchor;
  return {
    when,
    anchor,
    after,
    end: Math.min(ended, next),
    surely: isLast ? evidence.cut : anchor,
    edit,
  };
}

// Where the clock was set back, slots count from there on, also those before the time of arming.
/** @param {import('./check.mjs').Evidence} evidence @param {string} name */
function earliest({ rows }, name) {
  const own = rows.filter(({ trigger, slotCount }) => trigger === name && slotCount > 0);
  return own.reduce(
    (first, { scheduledFor }) => Math.min(first, Date.parse(scheduledFor)),
    Number.POSITIVE_INFINITY,
  );
}

/** When the service is known to have applied an edit that ends another one; null for never. @param {import('./bench.mjs').Edit[]} edits @param {import('./bench.mjs').Edit} edit */
function endOf(edits, edit) {
  const later = edits.slice(edits.indexOf(edit) + 1);
  const end = later.find((one) => isApplied(edits, one) && !isSame(one, edit));
  return end?.seen ?? null;
}

/** Whether the service has certainly seen this edit, and not only a later one. @param {import('./bench.mjs').Edit[]} edits @param {import('./bench.mjs').Edit} edit */
function isApplied(edits, edit) {
  const { seen } = edit;
  const next = edits[edits.indexOf(edit) + 1];
  return seen !== null && (next === undefined || next.written > seen);
}

/** @param {import('./bench.mjs').Edit} one @param {import('./bench.mjs').Edit} other */
function isSame({ wanted: one }, { wanted: other }) {
  return one.enabled === other.enabled && JSON.stringify(one.when) === JSON.stringify(other.when);
}

/** @param {import('./bench.mjs').Edit[]} edits @param {Epoch[]} epochs @param {string} name @param {(text: string) => void} report */
function reportUnarmed(edits, epochs, name, report) {
  for (const edit of edits) {
    if (!edit.wanted.enabled || !isApplied(edits, edit)) continue;
    const index = edits.indexOf(edit);
    const from = edits.findLastIndex(
      (one, n) => n < index && isApplied(edits, one) && !isSame(one, edit),
    );
    const since = edits.slice(from + 1, index + 1);
    if (!epochs.some((epoch) => since.includes(epoch.edit))) {
      report(`${name} was never armed although version ${edit.wanted.version} was enabled`);
    }
  }
}

/** The slots of an epoch up to a time. @param {Epoch} epoch @param {number} until */
export function slotsIn({ when, anchor, after, end }, until) {
  return slotsOf(when, { anchor, after, until: Math.min(end, until) });
}

/** @param {number} at */
export function iso(at) {
  return new Date(at).toISOString();
}
