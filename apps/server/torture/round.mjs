// @ts-check
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bench } from './bench.mjs';
import { check, gather } from './check.mjs';
import { heal } from './heal.mjs';
import { killAtWork, runLife } from './life.mjs';
import { planRound } from './plan.mjs';
import { PLANTS } from './plants.mjs';

/**
 * @typedef {{ seed: number, dir: string, kills: number, quick: boolean, plant: string | null, signal: AbortSignal }} RoundOptions
 * @typedef {{
 *   round: number, kills: number, slots: number, rows: number, lines: number, ms: number,
 *   findings: import('./check.mjs').Finding[], folder: string | null,
 * }} RoundResult
 */

// A server that does not start the first time will not start later.
const MOST_BROKEN = 3;
// Most agents work for so short a time that a kill comes too late.
const MOST_AT_WORK = 12;

/** Tortures one home, heals it and checks it; null if it was aborted. The folder of a round with findings stays. @param {number} round @param {RoundOptions} options @returns {Promise<RoundResult | null>} */
export async function runRound(round, options) {
  const { seed, dir, kills, quick, plant, signal } = options;
  const from = performance.now();
  const folder = join(dir, `round-${round}`);
  const bench = new Bench(folder, planRound({ seed, round, kills, quick }), plant);
  const onAbort = () => bench.server?.signal('SIGKILL');
  signal.addEventListener('abort', onAbort);
  try {
    await runLives(bench, options);
    const evidence = signal.aborted ? null : await gather(bench, await heal(bench));
    if (signal.aborted || evidence === null) return null;
    const { findings, ...counts } = check(bench, evidence);
    if (findings.length === 0) rmSync(folder, { recursive: true });
    else keep(bench, evidence, findings);
    const ms = Math.round(performance.now() - from);
    const kept = findings.length === 0 ? null : folder;
    return { round, kills: bench.kills, ...counts, ms, findings, folder: kept };
  } catch (error) {
    if (signal.aborted) return null;
    const text = `The checker failed: ${/** @type {Error} */ (error).stack}`;
    const ms = Math.round(performance.now() - from);
    const counts = { kills: bench.kills, slots: 0, rows: 0, lines: 0 };
    return { round, ...counts, ms, findings: [{ kind: 'wrong', text }], folder };
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (bench.server !== null && bench.server.endedAt === null) await bench.server.kill();
    if (signal.aborted) rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Bench} bench @param {RoundOptions} options */
async function runLives(bench, { kills, quick, plant, signal }) {
  while (bench.kills < kills && bench.broken.length < MOST_BROKEN && !signal.aborted) {
    await runLife(bench, quick);
  }
  if (plant === null || PLANTS[plant]?.isSilent === true) return;
  // Any fault has an effect then.
  let left = MOST_AT_WORK;
  while (left > 0 && !signal.aborted) left = (await killAtWork(bench)) ? 0 : left - 1;
}

/** @param {Bench} bench @param {import('./check.mjs').Evidence} evidence @param {import('./check.mjs').Finding[]} findings */
function keep(bench, evidence, findings) {
  const { edits, pauses, asked, clock, reported, plan } = bench;
  const lives = bench.lives.map(({ spawnedAt, listeningAt, endedAt, isKilled }) => ({
    spawnedAt,
    listeningAt,
    endedAt,
    isKilled,
  }));
  const known = {
    findings,
    plan,
    lives,
    clock,
    edits,
    pauses,
    asked,
    reported: [...reported.values()],
  };
  const all = {
    ...known,
    ...evidence,
    changes: Object.fromEntries(evidence.changes),
    removed: [...evidence.removed],
  };
  writeFileSync(join(bench.folder, 'findings.json'), `${JSON.stringify(all, null, 1)}\n`);
}
