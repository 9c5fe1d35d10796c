import type { Run } from '../data/api-types.ts';
import { isSkip, stateLabelOf, type Tone } from './outcomes.ts';

/** Runs that ended after an instant (UTC ISO text) and were not skipped, newest first. */
export function unseenOf(runs: readonly Run[], seenUntil: string): Run[] {
  return runs
    .filter((run) => run.endedAt !== null && run.endedAt > seenUntil && !isSkip(run))
    .sort((a, b) => (String(b.endedAt) < String(a.endedAt) ? -1 : 1));
}

const WORST: readonly Tone[] = ['bad', 'warn', 'idle', 'ok'];

/** The worst tone of some runs, and how many have it: `16` and ` finished`, or `3` and ` of 16 runs failed`. */
export function unseenSummary(runs: readonly Run[]): { tone: Tone; count: number; rest: string } {
  const tones = runs.map((run) => stateLabelOf(run).tone);
  const tone = WORST.find((each) => tones.includes(each)) ?? 'ok';
  const total = runs.length;
  if (tone !== 'bad' && tone !== 'warn') return { tone, count: total, rest: ' finished' };
  const count = tones.filter((each) => each === tone).length;
  const word = tone === 'bad' ? 'failed' : 'missed or interrupted';
  return { tone, count, rest: count === total ? ` ${word}` : ` of ${total} runs ${word}` };
}

/** Counts items by project slug. */
export function countByProject(
  things: readonly { readonly project: string }[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { project } of things) counts.set(project, (counts.get(project) ?? 0) + 1);
  return counts;
}
