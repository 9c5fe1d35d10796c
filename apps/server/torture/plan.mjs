// @ts-check
import { createRandom, seedOfRound } from './random.mjs';

/**
 * A trigger as the checker expects it. The fields for lateness and overlap stay the same for a whole round.
 *
 * @typedef {{
 *   project: string, name: string, when: import('./slots.mjs').When, enabled: boolean, version: number,
 *   overlap: 'skip' | 'queue' | 'allow', catchUp: 'none' | 'latest', window: string | null, jitter: string | null,
 *   session: 'new' | 'resume', workMs: number, fails: boolean,
 * }} Wanted
 *
 * @typedef {{
 *   seed: number, round: number, kills: number, kind: 'edits' | 'clock', retention: number | null,
 *   triggers: Wanted[], random: import('./random.mjs').Random,
 * }} Plan
 */

const INTERVALS = ['1s', '1s', '2s', '2s', '3s', '5s', '7s'];
const SLOW = ['90s', '5m'];
const CRONS = [
  { cron: '* * * * *' },
  { cron: '*/2 * * * *' },
  { cron: '1-59/3 * * * *', zone: 'Asia/Kathmandu' },
  { cron: '0,7,11-13,31,45 * * * *', zone: 'America/Phoenix' },
  { cron: '*/5 */2 * * *', zone: 'Asia/Kolkata' },
];
const PROJECTS = ['alpha', 'beta'];

/** The kind of a round: `edits` changes schedules and sets the clock forward; `clock` sets it back too and fills the disk.
 * @param {{ seed: number, round: number, kills: number, quick: boolean }} options @returns {Plan} */
export function planRound({ seed, round, kills, quick }) {
  const random = createRandom(seedOfRound(seed, round));
  const kind = round % 2 === 0 ? 'edits' : 'clock';
  const retention = !quick && random.chance(0.15) ? random.int(4, 20) : null;
  const triggers = PROJECTS.flatMap((project) =>
    Array.from({ length: random.int(3, 4) }, (_, n) => wanted(random, { project, n, quick })),
  );
  return { seed, round, kills, kind, retention, triggers, random };
}

/** @param {import('./random.mjs').Random} random @param {boolean} quick @returns {import('./slots.mjs').When} */
export function randomSchedule(random, quick) {
  if (!quick && random.chance(0.2)) return random.pick(CRONS);
  return { interval: random.pick(!quick && random.chance(0.15) ? SLOW : INTERVALS) };
}

/** @param {import('./random.mjs').Random} random @param {{ project: string, n: number, quick: boolean }} place @returns {Wanted} */
function wanted(random, { project, n, quick }) {
  const overlap = random.pick(/** @type {const} */ (['skip', 'skip', 'queue', 'allow']));
  // The first trigger suits any planted fault: frequent, and always made up for.
  const isPlain = n === 0;
  return {
    project,
    name: `${project}-${n}`,
    when: isPlain ? { interval: random.pick(['1s', '2s']) } : randomSchedule(random, quick),
    enabled: true,
    version: 1,
    overlap,
    catchUp: isPlain || random.chance(0.7) ? 'latest' : 'none',
    window: windowOf(random, isPlain),
    jitter: !isPlain && random.chance(0.25) ? random.pick(['1s', '3s']) : null,
    session: overlap !== 'allow' && random.chance(0.2) ? 'resume' : 'new',
    workMs: isPlain ? 400 : random.pick([0, 0, 50, 300, 1500]),
    fails: !isPlain && random.chance(0.1),
  };
}

/** @param {import('./random.mjs').Random} random @param {boolean} isPlain */
function windowOf(random, isPlain) {
  if (isPlain) return random.pick(['10m', '1h']);
  return random.chance(0.4) ? random.pick(['30s', '10m', '1h']) : null;
}
