import type { Health } from '../data/shapes.ts';
import { type Entry, STATES } from './entries.ts';
import type { Sign, Tone } from './outcomes.ts';

/** How a project is: the worst of its triggers. */
export interface Condition extends Sign {
  /** Triggers that somebody has to look at. */
  readonly needYou: number;
  readonly running: number;
  readonly armed: number;
  /** UTC ISO text. */
  readonly nextFire: string | null;
}

const NOTHING = { needYou: 0, running: 0, armed: 0, nextFire: null };

/** A project of which nothing is known yet. */
export const UNKNOWN: Condition = { word: 'Not known yet', tone: 'idle', ...NOTHING };

const WORST: readonly Tone[] = ['bad', 'warn', 'run', 'ok', 'idle'];

/** How the triggers of one project, or of several, are together. */
export function conditionOfEntries(entries: readonly Entry[]): Condition {
  const signs = entries.map(({ state, needsYou }) =>
    needsYou && state === 'running' ? STATES.failed : STATES[state],
  );
  const worst = [...signs].sort((a, b) => WORST.indexOf(a.tone) - WORST.indexOf(b.tone))[0];
  const fires = entries.flatMap(({ nextFire }) => nextFire ?? []).sort();
  return {
    word: worst?.word ?? 'No triggers',
    tone: worst?.tone ?? 'idle',
    needYou: entries.filter(({ needsYou }) => needsYou).length,
    running: entries.filter(({ state }) => state === 'running').length,
    armed: entries.filter(({ nextFire, state }) => nextFire !== null || state === 'armed').length,
    nextFire: fires[0] ?? null,
  };
}

/** As the service counts it. */
export function conditionOfHealth(health: Health): Condition {
  const { failing, invalid, paused, running, missed24h, armed, nextFire } = health;
  const needYou = failing + invalid + paused;
  const counts = { needYou, running, armed, nextFire };
  if (invalid > 0) return { ...STATES.invalid, ...counts };
  if (failing > 0) return { ...STATES.failed, ...counts };
  if (paused > 0) return { ...STATES.paused, ...counts };
  if (missed24h > 0) return { ...STATES.missed, ...counts };
  if (running > 0) return { ...STATES.running, ...counts };
  if (armed > 0) return { ...STATES.armed, ...counts };
  return { word: 'Nothing armed', tone: 'idle', ...counts };
}

/** The worst of several conditions. */
export function conditionWorst(conditions: readonly Condition[]): Sign {
  const sorted = [...conditions].sort((a, b) => WORST.indexOf(a.tone) - WORST.indexOf(b.tone));
  return sorted[0] ?? UNKNOWN;
}
