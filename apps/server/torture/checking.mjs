// @ts-check
import { readFileSync } from 'node:fs';
import { checkAgents, checkTold, readLines } from './check-agents.mjs';
import { checkLateness } from './check-lateness.mjs';
import { checkSlots } from './check-slots.mjs';
import { askWhy, checkWhy } from './check-why.mjs';
import { allRows, changesOf } from './healing.mjs';

/**
 * `lost`: a slot without a row, a row that is gone. `doubled`: a slot with two rows, an agent that worked twice. `late`: a
 * row that lies about when. `lying`: a row and its agent disagree, or it stands for what never was.
 *
 * @typedef {'lost' | 'doubled' | 'late' | 'lying'} Kind
 * @typedef {{ kind: Kind, text: string }} Finding
 *
 * @typedef {{
 *   bench: import('./bench.mjs').Bench, evidence: import('./healing.mjs').Evidence, rows: any[],
 *   lines: import('./check-agents.mjs').Line[], finding: (kind: Kind, text: string) => void,
 *   mayBeRemoved: (lines: readonly import('./check-agents.mjs').Line[]) => boolean,
 * }} Case
 */

/** Has a healed service tell everything, and stops it. @param {import('./bench.mjs').Bench} bench @param {number} cut */
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
  return { rows, changes, whys, cut, removedUntil: removedUntil(bench, rows) };
}

// With retention rows go, the oldest first: before the last of them that is known, some may never have been seen.
/** @param {import('./bench.mjs').Bench} bench @param {any[]} rows */
function removedUntil({ told, plan }, rows) {
  if (plan.retention === null) return null;
  const left = new Set(rows.map(({ id }) => id));
  const gone = [...told.values()].filter(
    ({ id, scheduledUntil }) => !left.has(id) && scheduledUntil !== null,
  );
  return Math.max(0, ...gone.map(({ scheduledUntil }) => Date.parse(scheduledUntil)));
}

/** Holds rows, slots and agents against each other. @param {import('./bench.mjs').Bench} bench @param {Awaited<ReturnType<typeof gather>>} evidence */
export function check(bench, evidence) {
  /** @type {Finding[]} */
  const findings = bench.broken.map((text) => ({ kind: 'lying', text }));
  const left = new Set(evidence.rows.map(({ id }) => id));
  const isPruned = bench.plan.retention !== null;
  const removed = isPruned
    ? [...bench.told.values()].filter(({ id, state }) => !left.has(id) && state === 'ended')
    : [];
  const rows = [...evidence.rows, ...removed];
  const lines = readLines(readFileSync(bench.agentsLog, 'utf8'));
  const given = {
    ...{ bench, evidence, rows, lines },
    finding: (/** @type {Kind} */ kind, /** @type {string} */ text) =>
      void findings.push({ kind, text }),
    mayBeRemoved: () => isPruned,
  };
  const slots = checkSlots(given);
  checkAgents(given);
  checkTold(given);
  checkLateness(given);
  checkWhy(evidence.whys, (text) => given.finding('lying', text));
  return { findings, slots, rows: rows.length, lines: lines.length };
}
