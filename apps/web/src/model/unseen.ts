import type { Run } from '../data/api-types.ts';
import { isSkip, stateLabelOf, type Tone } from './outcomes.ts';

/** Runs that ended after an instant (UTC ISO text) and were not skipped, newest first. */
export function unseenOf(runs: readonly Run[], seenUntil: string): Run[] {
  return runs
    .filter((run) => run.endedAt !== null && run.endedAt > seenUntil && !isSkip(run))
    .sort((a, b) => (String(b.endedAt) < String(a.endedAt) ? -1 : 1));
}

const WORST: readonly Tone[] = ['bad', 'warn', 'idle', 'ok'];

/** The worst tone of some runs. */
export function worstTone(runs: readonly Run[]): Tone {
  const tones = new Set(runs.map((run) => stateLabelOf(run).tone));
  return WORST.find((tone) => tones.has(tone)) ?? 'ok';
}

/** Counts items by project slug. */
export function countByProject(
  things: readonly { readonly project: string }[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { project } of things) counts.set(project, (counts.get(project) ?? 0) + 1);
  return counts;
}
