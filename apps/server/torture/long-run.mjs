// @ts-check
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The saved progress of a run, so that it can be resumed.
 *
 * @typedef {{
 *   seed: number, nextRound: number, open: number[], kills: number, slots: number, rows: number, lines: number,
 *   found: { lost: number, duplicate: number, late: number, wrong: number },
 *   rounds: number, findings: { round: number, kind: string, text: string, folder: string | null }[],
 * }} Progress
 */

/** @param {string} dir @param {number} seed @returns {Progress} */
export function loadProgress(dir, seed) {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'progress.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const found = { lost: 0, duplicate: 0, late: 0, wrong: 0 };
  return {
    seed,
    nextRound: 0,
    open: [],
    kills: 0,
    slots: 0,
    rows: 0,
    lines: 0,
    found,
    rounds: 0,
    findings: [],
  };
}

/** @param {string} dir @param {Progress} progress */
export function saveProgress(dir, progress) {
  const file = join(dir, 'progress.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(progress, null, 1)}\n`);
  renameSync(`${file}.new`, file);
}

/** @param {Progress} progress @param {import('./round.mjs').RoundResult} result */
export function addRound(progress, result) {
  progress.rounds += 1;
  for (const name of /** @type {const} */ (['kills', 'slots', 'rows', 'lines']))
    progress[name] += result[name];
  for (const { kind, text } of result.findings) {
    progress.found[kind] += 1;
    progress.findings.push({ round: result.round, kind, text, folder: result.folder });
  }
}

/** @param {Progress} progress */
export function summaryOf({ kills, slots, rows, lines, found }) {
  const { lost, duplicate, late, wrong } = found;
  return `${kills} kills, ${slots} slots, ${rows} rows, ${lines} lines; lost ${lost}, duplicate ${duplicate}, late ${late}, wrong ${wrong}`;
}
