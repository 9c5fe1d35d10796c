// @ts-check

/** This long after a server is gone, its turns are ended or started elsewhere. */
const TAKEN_OVER_MS = 30_000;
const LONGEST_WORK_MS = 5000;

/** Checks that apply to several servers only. @param {import('./cluster.mjs').Cluster} cluster @param {any[]} rows @returns {import('../check.mjs').Finding[]} */
export function checkCluster({ rolls }, rows) {
  /** @type {import('../check.mjs').Finding[]} */
  const findings = [];
  for (const row of rows) {
    const { id, trigger, outcome, startedAt, endedAt } = row;
    const where = `run ${id} of ${trigger}, ${outcome} at ${endedAt}`;
    const ran = startedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt);
    if (ran > TAKEN_OVER_MS + LONGEST_WORK_MS)
      findings.push({ kind: 'late', text: `it counted as running for ${ran} ms: ${where}` });
    const at = Date.parse(endedAt);
    if (outcome === 'interrupted' && rolls.some(({ from, until }) => at >= from && at <= until))
      findings.push({ kind: 'lost', text: `a rolling restart interrupted it: ${where}` });
  }
  return findings;
}
