// @ts-check
import { readFileSync } from 'node:fs';
import { checkAgents, checkReported, isShared, readLines } from './check-agents.mjs';
import { checkLateness } from './check-lateness.mjs';
import { checkSlots } from './check-slots.mjs';
import { askWhy, checkWhy } from './check-why.mjs';
import { allRows, changesOf } from './heal.mjs';

/**
 * `lost`: a slot without a row, a row that is gone. `duplicate`: a slot with two rows, an agent that worked twice. `late`: a
 * row with wrong times. `wrong`: a row contradicts its agent, or covers something that never happened.
 *
 * @typedef {'lost' | 'duplicate' | 'late' | 'wrong'} Kind
 * @typedef {{ kind: Kind, text: string }} Finding
 *
 * Everything the healed service reports. `cut`: the time, by its clock, up to which every slot must be decided.
 *
 * @typedef {Awaited<ReturnType<typeof gather>>} Evidence
 *
 * @typedef {{
 *   bench: import('./bench.mjs').Bench, evidence: import('./check.mjs').Evidence, rows: any[], undecided: any[],
 *   lines: import('./check-agents.mjs').Line[], finding: (kind: Kind, text: string) => void,
 *   mayBeRemoved: (lines: readonly import('./check-agents.mjs').Line[]) => boolean,
 * }} Case
 */

/** Reads everything from a healed service, and stops it. @param {import('./bench.mjs').Bench} bench @param {number} cut */
export async function gather(bench, cut) {
  const rows = await allRows(bench);
  /** @type {Map<string, any[]>} */
  const changes = new Map();
  for (const wanted of bench.wanted.values())
    changes.set(wanted.name, await changesOf(bench, wanted));
  const whys = bench.plan.retention === null ? await askWhy(bench, rows) : [];
  bench.server?.signal('SIGTERM');
  const code = await bench.server?.exit;
  if (code !== 0) bench.broken.push(`It stopped with ${code} when it was healed.`);
  return { rows, changes, whys, cut, removed: removedUntil(bench, rows, cut) };
}

/**
 * The time up to which rows of a trigger may have been removed, by name. They are removed oldest first, except the newest
 * failure; where the clock is set back, the oldest rows are not those of the first slots.
 *
 * @param {import('./bench.mjs').Bench} bench
 * @param {any[]} rows
 * @param {number} cut
 * @returns {Map<string, number>}
 */
function removedUntil({ plan: { retention, kind }, wanted }, rows, cut) {
  const until = new Map();
  for (const name of retention === null ? [] : wanted.keys()) {
    const left = rows.filter(({ trigger }) => trigger === name);
    if (left.length < (retention ?? 0)) continue;
    const slots = left
      .filter(({ outcome, scheduledFor }) => outcome !== 'failed' && scheduledFor !== null)
      .map(({ scheduledFor }) => Date.parse(scheduledFor));
    const past = slots.filter((slot) => slot <= cut);
    until.set(name, kind === 'clock' ? Math.max(...past) : Math.min(...slots));
  }
  return until;
}

/** Compares rows, slots and agents. @param {import('./bench.mjs').Bench} bench @param {Evidence} evidence */
export function check(bench, evidence) {
  /** @type {Finding[]} */
  const findings = bench.broken.map((text) => ({ kind: 'wrong', text }));
  const left = new Set(evidence.rows.map(({ id }) => id));
  const isPruned = bench.plan.retention !== null;
  const gone = isPruned ? [...bench.reported.values()].filter(({ id }) => !left.has(id)) : [];
  const removed = gone.filter((row) => isOver(bench, row));
  // The row of a slot that did not run was pruned, or it was replaced when its slot came again.
  const undecided = gone.filter((row) => !isOver(bench, row));
  const rows = [...evidence.rows, ...removed];
  const lines = readLines(readFileSync(bench.agentsLog, 'utf8'));
  const given = {
    ...{ bench, evidence, rows, undecided, lines },
    finding: (/** @type {Kind} */ kind, /** @type {string} */ text) =>
      void findings.push({ kind, text }),
    mayBeRemoved: () => isPruned,
  };
  const slots = checkSlots(given);
  checkAgents(given);
  checkReported(given);
  checkLateness(given);
  checkWhy(evidence.whys, rows, (text) => given.finding('wrong', text));
  return { findings, slots, rows: rows.length, lines: lines.length };
}

/** Whether only retention can have removed a reported row. @param {import('./bench.mjs').Bench} bench @param {any} row */
function isOver({ plan }, { state, outcome }) {
  // Where the clock was set back, rows of slots that did not run are replaced.
  return state === 'ended' && !(plan.kind === 'clock' && isShared(outcome));
}
