// @ts-check
import { isShared } from './check-agents.mjs';
import { epochsOf, iso, slotsIn } from './epochs.mjs';
import { periodOf } from './slots.mjs';

/** @typedef {import('./check.mjs').Case} Case */

/** Every slot is covered by exactly one row, and no row covers anything else. Returns the number of required slots. @param {Case} given */
export function checkSlots(given) {
  const { bench, evidence, finding } = given;
  let slots = 0;
  for (const [name, wanted] of bench.wanted) {
    const all = { ...evidence, rows: given.rows };
    const epochs = epochsOf(bench, name, all, (text) => finding('wrong', text));
    const rows = given.rows.filter((row) => row.trigger === name && row.cause === 'schedule');
    const delay = wanted.jitter === null ? 0 : periodOf(wanted.jitter);
    const covered = coverage(given, epochs, rows);
    for (const epoch of epochs) slots += checkEpoch(given, epoch, covered, delay);
  }
  return slots;
}

/** The row of each slot. @param {Case} given @param {import('./epochs.mjs').Epoch[]} epochs @param {any[]} rows */
function coverage({ finding }, epochs, rows) {
  /** @type {Map<number, any>} */
  const covered = new Map();
  for (const row of rows) {
    const where = `${row.trigger} ${row.scheduledFor} (run ${row.id}, ${row.outcome})`;
    const slots = slotsOfRow(row, epochs);
    if (slots === null) {
      finding('wrong', `a row covers a time that was never due: ${where} to ${row.scheduledUntil}`);
      continue;
    }
    if (slots.length !== row.slotCount) {
      finding('wrong', `a row counts ${row.slotCount} slots of ${slots.length}: ${where}`);
    }
    if (slots.length > 1 && !isShared(row.outcome)) {
      finding('wrong', `one run covers ${slots.length} slots: ${where}`);
    }
    for (const slot of slots) {
      const other = covered.get(slot)?.id;
      if (other !== undefined)
        finding('duplicate', `${other} has the slot ${iso(slot)} too: ${where}`);
      covered.set(slot, row);
    }
  }
  return covered;
}

/** The slots from the first to the last of a row; null if these are no slots. @param {any} row @param {import('./epochs.mjs').Epoch[]} epochs */
function slotsOfRow({ scheduledFor, scheduledUntil }, epochs) {
  const first = Date.parse(scheduledFor);
  const last = Date.parse(scheduledUntil);
  const epoch = epochs.find(({ after, end }) => first > after && first <= end);
  if (epoch === undefined) return null;
  const slots = slotsIn(epoch, last).filter((slot) => slot >= first);
  return slots[0] === first && slots.at(-1) === last ? slots : null;
}

/** @param {Case} given @param {import('./epochs.mjs').Epoch} epoch @param {Map<number, any>} covered @param {number} delay */
function checkEpoch({ finding, evidence, undecided }, epoch, covered, delay) {
  const slots = slotsIn(epoch, evidence.cut);
  const last = slots.findLast((slot) => covered.has(slot)) ?? epoch.after;
  // Slots that an edit superseded are not decided; up to the last decision there is no gap.
  const must = slots.filter((slot) => slot <= Math.max(last, epoch.surely - delay));
  const removed = evidence.removed.get(epoch.trigger) ?? Number.NEGATIVE_INFINITY;
  const allowed = undecided
    .filter(({ trigger, scheduledFor }) => trigger === epoch.trigger && scheduledFor !== null)
    .map(({ scheduledFor, scheduledUntil }) => [
      Date.parse(scheduledFor),
      Date.parse(scheduledUntil),
    ]);
  for (const slot of must) {
    if (covered.has(slot) || slot <= removed) continue;
    if (allowed.some(([first = 0, last = 0]) => slot >= first && slot <= last)) continue;
    finding(
      'lost',
      `no row has the slot ${iso(slot)} of ${epoch.trigger} (${JSON.stringify(epoch.when)} from ${iso(epoch.anchor)})`,
    );
  }
  return must.length;
}
