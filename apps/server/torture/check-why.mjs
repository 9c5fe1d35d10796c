// @ts-check
import { get } from './healing.mjs';

/** @typedef {import('./bench.mjs').Bench} Bench */
/** @typedef {{ row: any, at: number, answer: any }} Asked */

const SAMPLES = 30;

/** Asks the service why, about slots that rows stand for. @param {Bench} bench @param {any[]} rows @returns {Promise<Asked[]>} */
export async function askWhy(bench, rows) {
  const { random } = bench.plan;
  const scheduled = rows.filter(({ cause, state }) => cause === 'schedule' && state === 'ended');
  const asked = [];
  for (let n = 0; n < SAMPLES && scheduled.length > 0; n += 1) {
    const row = random.pick(scheduled);
    const at = Date.parse(random.chance(0.5) ? row.scheduledFor : row.scheduledUntil);
    const time = encodeURIComponent(new Date(at).toISOString());
    const answer = await get(bench, row.project, `triggers/${row.trigger}/why?at=${time}`);
    asked.push({ row, at, answer });
  }
  return asked;
}

/** Its answers are those of the rows. @param {readonly Asked[]} asked @param {(text: string) => void} tell */
export function checkWhy(asked, tell) {
  for (const { row, at, answer } of asked) {
    const decision = decisionOf(row.outcome);
    if (answer?.decision === decision && answer.runId === row.id) continue;
    const said = `${answer?.decision} (run ${answer?.runId})`;
    tell(
      `asked why at ${new Date(at).toISOString()}, ${row.trigger} says ${said}; the row ${row.id} was ${row.outcome}`,
    );
  }
}

/** @param {string} outcome */
function decisionOf(outcome) {
  if (outcome === 'missed') return 'missed';
  return outcome.startsWith('skipped_') ? 'skipped' : 'fired';
}
