import type { Health } from '../data/shapes.ts';
import { type Entry, STATES, triggersIn } from './entries.ts';
import { type Sign, signOf, type Tone } from './outcomes.ts';

/** How many triggers there are, and how many of them stand in which way. */
export interface Counts {
  /** Entries of `triggers`, valid or not. */
  readonly total: number;
  /** Those of them that somebody has to look at. */
  readonly needYou: number;
  /** Legacy schedules that somebody has to look at. */
  readonly legacyNeedYou: number;
  /** Files that cannot be read. */
  readonly brokenFiles: number;
  readonly armed: number;
  /** Those that are on and kept from firing by themselves. */
  readonly paused: number;
  /** Those that are on, and silent for a while since their clock was set back. */
  readonly silent: number;
  /** UTC ISO text. */
  readonly nextFire: string | null;
}

/** How a project is: the worst of its triggers. */
export type Condition = Sign & Counts;

const WORST: readonly Tone[] = ['bad', 'warn', 'run', 'ok', 'idle'];

/** How the triggers of one project are together. */
export function conditionOfEntries(entries: readonly Entry[]): Condition {
  const signs = entries.map(({ state, lastRun, needsYou }) => {
    const failsAgain = needsYou && lastRun !== null && signOf(lastRun).tone === 'bad';
    return state === 'running' && failsAgain ? STATES.failed : STATES[state];
  });
  const worst = [...signs].sort(byWorst)[0];
  const needing = entries.filter(({ needsYou }) => needsYou);
  const ofSource = (some: readonly Entry[], wanted: Entry['source']): number =>
    some.filter(({ source }) => source === wanted).length;
  return {
    word: worst?.word ?? 'No triggers',
    tone: worst?.tone ?? 'idle',
    total: ofSource(entries, 'trigger'),
    needYou: ofSource(needing, 'trigger'),
    legacyNeedYou: ofSource(needing, 'schedule'),
    brokenFiles: ofSource(entries, 'file'),
    armed: triggersIn(entries).filter(({ isArmed }) => isArmed).length,
    paused: entries.filter(({ isPaused }) => isPaused).length,
    silent: entries.filter(({ state }) => state === 'silent').length,
    nextFire: entries.flatMap(({ nextFire }) => nextFire ?? []).sort()[0] ?? null,
  };
}

/** As the service counts it; `faults` keep project.yaml from being read. */
export function conditionOfHealth(health: Health, faults: readonly unknown[]): Condition {
  const { total, needYou, legacyNeedYou, armed, paused, silent, nextFire } = health;
  const brokenFiles = faults.length === 0 ? 0 : 1;
  return {
    ...{ ...signOfHealth(health), total, needYou, legacyNeedYou },
    ...{ brokenFiles, armed, paused, silent, nextFire },
  };
}

function signOfHealth(health: Health): Sign {
  const { failing, invalid, paused, silent, running, missed24h, armed } = health;
  if (invalid > 0) return STATES.invalid;
  if (failing > 0) return STATES.failed;
  if (paused > 0) return STATES.paused;
  // Whether it is not armed or will fail, it is about to do nothing of use.
  if (health.needYou + health.legacyNeedYou > 0) {
    if (health.unready > 0) return STATES.unready;
    return health.limited > 0 ? STATES.limited : STATES['not-armed'];
  }
  if (silent > 0) return STATES.silent;
  if (missed24h > 0) return STATES.missed;
  if (running > 0) return STATES.running;
  if (armed > 0) return STATES.armed;
  return { word: 'Nothing armed', tone: 'idle' };
}

/** How many of a project somebody has to look at, its file among them. */
export function needOf({ needYou, legacyNeedYou, brokenFiles }: Condition): number {
  return needYou + legacyNeedYou + brokenFiles;
}

/** Whether whatever would start by itself is paused. */
export function isAllPaused({ paused, armed }: Condition): boolean {
  return paused > 0 && paused >= armed;
}

/** The counts of several projects as one. */
export function countsOf(conditions: readonly Condition[]): Counts {
  const sum = (of: (each: Condition) => number): number =>
    conditions.reduce((all, each) => all + of(each), 0);
  return {
    total: sum(({ total }) => total),
    needYou: sum(({ needYou }) => needYou),
    legacyNeedYou: sum(({ legacyNeedYou }) => legacyNeedYou),
    brokenFiles: sum(({ brokenFiles }) => brokenFiles),
    armed: sum(({ armed }) => armed),
    paused: sum(({ paused }) => paused),
    silent: sum(({ silent }) => silent),
    nextFire: conditions.flatMap(({ nextFire }) => nextFire ?? []).sort()[0] ?? null,
  };
}

/** The worst of several conditions. */
export function conditionWorst(conditions: readonly Condition[]): Sign {
  return [...conditions].sort(byWorst)[0] ?? { word: 'Unknown', tone: 'idle' };
}

function byWorst(a: Sign, b: Sign): number {
  return WORST.indexOf(a.tone) - WORST.indexOf(b.tone);
}
