// @ts-check
import { iso } from './epochs.mjs';
import { get } from './heal.mjs';

/** @typedef {import('./bench.mjs').Bench} Bench */
/** A question; without a row, about a time that is no slot. @typedef {{ row: any, trigger: string, at: number, answer: any }} Asked */

const SAMPLES = 30;
// No schedule has slots this close to each other.
const BESIDE_MS = 137;

/** Asks the service why, about slots of rows and about times between them. @param {Bench} bench @param {any[]} rows @returns {Promise<Asked[]>} */
export async function askWhy(bench, rows) {
  const { random, kind } = bench.plan;
  const scheduled = rows.filter(({ cause, state }) => cause === 'schedule' && state === 'ended');
  const asked = [];
  for (let n = 0; n < SAMPLES && scheduled.length > 0; n += 1) {
    const row = random.pick(scheduled);
    const slot = Date.parse(random.chance(0.5) ? row.scheduledFor : row.scheduledUntil);
    // Where the clock was set back, a time has several answers.
    const isBeside = kind === 'edits' && random.chance(0.3);
    const at = isBeside ? slot + BESIDE_MS : slot;
    const time = encodeURIComponent(new Date(at).toISOString());
    const answer = await get(bench, row.project, `triggers/${row.trigger}/why?at=${time}`);
    asked.push({ row: isBeside ? null : row, trigger: row.trigger, at, answer });
  }
  return asked;
}

/** Its answers match the rows. @param {readonly Asked[]} asked @param {readonly any[]} rows @param {(text: string) => void} report */
export function checkWhy(asked, rows, report) {
  for (const { row, trigger, at, answer } of asked) {
    const said = `asked why at ${iso(at)}, ${trigger} answers ${answer?.decision} (run ${answer?.runId})`;
    if (row === null) {
      // A whole second or minute means all of it.
      const isExact = at % 1000 !== 0 && !rows.some(({ claimedAt }) => claimedAt === iso(at));
      if (isExact && answer?.runId !== null) report(`${said}; there was no slot`);
    } else if (answer?.decision !== decisionOf(row.outcome) || answer.runId !== row.id) {
      report(`${said}; the row ${row.id} was ${row.outcome}`);
    }
  }
}

/** @param {string} outcome */
function decisionOf(outcome) {
  if (outcome === 'missed') return 'missed';
  return outcome.startsWith('skipped_') ? 'skipped' : 'fired';
}
