import type { Health } from '../data/api-types.ts';
import { type Entry, STATES, triggersIn } from './entries.ts';
import { type StateLabel, stateLabelOf, type Tone } from './outcomes.ts';

/** Trigger counts by state. */
export interface Counts {
  /** Entries of `triggers`, valid or not. */
  readonly total: number;
  /** Those that need attention. */
  readonly needYou: number;
  /** Legacy schedules that need attention. */
  readonly legacyNeedYou: number;
  /** Unreadable project files. */
  readonly brokenFiles: number;
  readonly armed: number;
  /** Enabled triggers that are paused. */
  readonly paused: number;
  /** Enabled triggers that are silent because the clock was set back. */
  readonly silent: number;
  /** UTC ISO text. */
  readonly nextFire: string | null;
}

/** The state of a project: that of its worst trigger, with the counts. */
export type ProjectState = StateLabel & Counts;

const WORST: readonly Tone[] = ['bad', 'warn', 'run', 'ok', 'idle'];

/** Combines the triggers of one project. */
export function stateOfEntries(entries: readonly Entry[]): ProjectState {
  const signs = entries.map(({ state, lastRun, needsYou }) => {
    const failsAgain = needsYou && lastRun !== null && stateLabelOf(lastRun).tone === 'bad';
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

/** Uses the counts of the service; `faults` are the problems of project.yaml outside its entries. */
export function stateOfHealth(health: Health, faults: readonly unknown[]): ProjectState {
  const { total, needYou, legacyNeedYou, armed, paused, silent, nextFire } = health;
  const brokenFiles = faults.length === 0 ? 0 : 1;
  return {
    ...{ ...signOfHealth(health), total, needYou, legacyNeedYou },
    ...{ brokenFiles, armed, paused, silent, nextFire },
  };
}

function signOfHealth(health: Health): StateLabel {
  const { failing, invalid, paused, silent, running, missed24h, armed } = health;
  if (invalid > 0) return STATES.invalid;
  if (failing > 0) return STATES.failed;
  if (paused > 0) return STATES.paused;
  // A trigger that is not armed or will fail does no useful work.
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

/** The number of items of a project that need attention, including its file. */
export function attentionCount({ needYou, legacyNeedYou, brokenFiles }: ProjectState): number {
  return needYou + legacyNeedYou + brokenFiles;
}

/** "needs attention" for one, "need attention" for several. */
export function needText(count: number): string {
  return count === 1 ? 'needs attention' : 'need attention';
}

/** Whether every armed trigger is paused. */
export function isAllPaused({ paused, armed }: ProjectState): boolean {
  return paused > 0 && paused >= armed;
}

/** Adds up the counts of several projects. */
export function countsOf(conditions: readonly ProjectState[]): Counts {
  const sum = (of: (each: ProjectState) => number): number =>
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
export function worstState(conditions: readonly ProjectState[]): StateLabel {
  return [...conditions].sort(byWorst)[0] ?? { word: 'Unknown', tone: 'idle' };
}

function byWorst(a: StateLabel, b: StateLabel): number {
  return WORST.indexOf(a.tone) - WORST.indexOf(b.tone);
}
