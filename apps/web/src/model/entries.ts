import type {
  InvalidEntry,
  LegacySchedule,
  RecentRun,
  RuntimeState,
  Trigger,
} from '../data/shapes.ts';
import { isSkip, type Sign, signOf } from './outcomes.ts';

const DAY_MS = 86_400_000;

/** What a trigger may be, the first that holds. */
export type EntryState =
  | 'invalid'
  | 'running'
  | 'off'
  | 'paused'
  | 'failed'
  | 'missed'
  | 'not-armed'
  | 'unready'
  | 'limited'
  | 'silent'
  | 'armed';

/** That a trigger is paused after failures. */
export interface OwnPause {
  /** UTC ISO text. */
  readonly at: string;
  /** In a sentence. */
  readonly reason: string;
}

/** That a trigger fires nothing until some instant, because its slots until then ran while its clock was ahead. */
interface Silence {
  /** UTC ISO text. */
  readonly until: string;
  /** Whether somebody can have it go on in spite of that. */
  readonly canGoOn: boolean;
}

type ZoneData = NonNullable<RuntimeState['zoneData']>;

/** A trigger of a project as the page shows it, whether it counts or not. */
export interface Entry {
  readonly project: string;
  readonly name: string;
  readonly source: 'trigger' | 'schedule' | 'file';
  readonly state: EntryState;
  /** Whether it needs attention, which the service decides. */
  readonly needsYou: boolean;
  /** The daily limit that keeps it from starting today, in a sentence; null for none. */
  readonly limited: string | null;
  /** Whether it is on and kept from firing by itself, with everything or alone. */
  readonly isPaused: boolean;
  /** Its own pause, after failures; null where it has none. */
  readonly pause: OwnPause | null;
  /** That its next slots have run already, before its clock was set back; null where they have not. */
  readonly silence: Silence | null;
  /** That its zone is known otherwise to the host; null where it is not. */
  readonly zoneData: ZoneData | null;
  readonly isArmed: boolean;
  /** UTC ISO text. */
  readonly nextFire: string | null;
  /** How long after it the turn starts, in milliseconds. */
  readonly startDelayMs: number;
  /** Why it is not armed, in a sentence. */
  readonly notArmed: string | null;
  /** What is wrong with it although it is armed, or would be once it is on, in a sentence. */
  readonly remark: string | null;
  /** Why each fire will fail, in a sentence. */
  readonly problem: string | null;
  /** The run that it has failed with; else the newest that was not skipped. */
  readonly lastRun: RecentRun | null;
  /** The run that has not ended yet. */
  readonly openRun: RecentRun | null;
  /** Oldest first, at most ten. */
  readonly runs: readonly RecentRun[];
  /** The trigger with its fields; null for an invalid entry and a legacy schedule. */
  readonly trigger: Trigger | null;
  readonly schedule: LegacySchedule | null;
  readonly invalid: InvalidEntry | null;
}

/** What the service tells of the triggers of a project. */
export interface ProjectTriggers {
  readonly triggers: readonly Trigger[];
  readonly invalid: readonly InvalidEntry[];
  readonly legacySchedules: readonly LegacySchedule[];
  readonly runtime: readonly RuntimeState[];
}

/** The entries of project.yaml, valid or not: what is counted as triggers everywhere. A broken file itself is none. */
export function triggersIn(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ source }) => source !== 'file');
}

export const STATES: Readonly<Record<EntryState, Sign>> = {
  invalid: { word: 'Invalid', tone: 'bad' },
  running: { word: 'Running', tone: 'run' },
  off: { word: 'Disabled', tone: 'idle' },
  paused: { word: 'Paused', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
  missed: { word: 'Missed', tone: 'warn' },
  'not-armed': { word: 'Not armed', tone: 'warn' },
  unready: { word: 'Will fail', tone: 'warn' },
  limited: { word: 'Limited', tone: 'warn' },
  silent: { word: 'Silent', tone: 'warn' },
  armed: { word: 'Armed', tone: 'ok' },
};

/** Joins what is declared with what it does now, sorted: what needs somebody first, what is off last. */
export function entriesOf(project: string, told: ProjectTriggers, now: number): Entry[] {
  const runtimeOf = (source: string, name: string): RuntimeState | undefined =>
    told.runtime.find((each) => each.source === source && each.name === name);
  return [
    ...told.invalid.map((entry) => invalidEntry(project, entry)),
    ...told.triggers.map((trigger) => {
      const own = { trigger, enabled: trigger.enabled, runs: trigger.recentRuns };
      return validEntry(project, { ...own, runtime: runtimeOf('trigger', trigger.name), now });
    }),
    ...told.legacySchedules.map((schedule) => {
      const own = { schedule, enabled: schedule.enabled, runs: schedule.recentRuns };
      return validEntry(project, { ...own, runtime: runtimeOf('schedule', schedule.name), now });
    }),
  ].sort(byUrgency);
}

function invalidEntry(project: string, invalid: InvalidEntry): Entry {
  const nothing = {
    isPaused: false,
    pause: null,
    silence: null,
    zoneData: null,
    isArmed: false,
    nextFire: null,
    startDelayMs: 0,
    notArmed: null,
    remark: null,
    problem: null,
    limited: null,
  };
  const ran = { lastRun: null, openRun: null, runs: [] };
  const { name, source } = invalid;
  const own = { trigger: null, schedule: null, invalid };
  return { project, name, source, state: 'invalid', needsYou: true, ...nothing, ...ran, ...own };
}

interface Facts {
  readonly trigger?: Trigger;
  readonly schedule?: LegacySchedule;
  readonly enabled: boolean;
  /** Newest first. */
  readonly runs: readonly RecentRun[];
  readonly runtime: RuntimeState | undefined;
  readonly now: number;
}

function validEntry(project: string, facts: Facts): Entry {
  const { trigger = null, schedule = null, enabled, runtime } = facts;
  // What was missed stands where it should have run, however late it was noted.
  const runs = [...facts.runs].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const failure = failureOf(facts);
  const lastRun = failure ?? runs.find((run) => run.state === 'ended' && !isSkip(run)) ?? null;
  const openRun = runs.find((run) => run.state !== 'ended') ?? null;
  const problem = trigger?.problem ?? schedule?.problem ?? null;
  const unheld = enabled ? null : unheldText((trigger ?? schedule)?.unheld);
  return {
    project,
    name: trigger?.name ?? schedule?.name ?? '',
    source: trigger === null ? 'schedule' : 'trigger',
    state: stateOf(facts, { openRun, lastRun, failure, problem }),
    needsYou: (runtime?.attention ?? []).length > 0,
    limited: limitOf(facts),
    ...pauseOf(facts),
    ...timeOf(facts),
    isArmed: runtime?.armed === true,
    nextFire: runtime?.nextFire ?? null,
    startDelayMs: runtime?.startDelayMs ?? 0,
    notArmed: enabled && runtime?.armed === false ? (runtime.reason ?? 'It is not armed.') : null,
    remark: unheld ?? remarkOf(facts, problem),
    problem,
    lastRun,
    openRun,
    runs: [...runs].reverse(),
    trigger,
    schedule,
    invalid: null,
  };
}

function pauseOf({ enabled, runtime }: Facts): Pick<Entry, 'isPaused' | 'pause'> {
  const isPaused = enabled && runtime?.paused === true;
  return { isPaused, pause: isPaused ? (runtime.pausedAfterFailures ?? null) : null };
}

function timeOf(facts: Facts): Pick<Entry, 'silence' | 'zoneData'> {
  const { enabled, runtime } = facts;
  return { silence: silenceOf(facts), zoneData: enabled ? (runtime?.zoneData ?? null) : null };
}

function silenceOf({ enabled, runtime }: Facts): Silence | null {
  const { silentUntil = null, canGoOn = false } = runtime?.clock ?? {};
  return enabled && silentUntil !== null ? { until: silentUntil, canGoOn } : null;
}

// What its clock and its zone do to it is told beside it, in the reader's time.
function reasonOf({ runtime }: Facts): string | null {
  const reason = runtime?.reason ?? null;
  const isTold = reason === runtime?.clock?.message || reason === runtime?.zoneData?.message;
  return runtime?.paused === true || isTold ? null : reason;
}

function remarkOf(facts: Facts, problem: string | null): string | null {
  const { enabled, runtime } = facts;
  // Why it is paused is told where that stands.
  const reason = reasonOf(facts);
  if (!enabled || runtime?.armed === true) return enabled ? (reason ?? problem) : null;
  return problem === reason ? null : problem;
}

// What is off has no problem yet.
function unheldText(unheld: Trigger['unheld'] = []): string | null {
  if (unheld.length === 0) return null;
  const faults = unheld.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return `It will not fire once enabled: ${faults.join(' ')}`;
}

function limitOf({ runtime }: Facts): string | null {
  return runtime?.attention?.find(({ kind }) => kind === 'limited')?.reason ?? null;
}

/** The failure at which a trigger that is on stands: what was missed or skipped since then hides nothing. */
function failureOf({ enabled, runs }: Facts): RecentRun | null {
  if (!enabled) return null;
  const hadTurn = (run: RecentRun) => run.state === 'ended' && !isSkip(run);
  const last = runs.find((run) => hadTurn(run) && run.outcome !== 'missed');
  return last !== undefined && signOf(last).tone === 'bad' ? last : null;
}

type Signs = Pick<Entry, 'openRun' | 'lastRun' | 'problem'> & {
  readonly failure: RecentRun | null;
};

function stateOf(facts: Facts, { openRun, lastRun, failure, problem }: Signs): EntryState {
  const { enabled, runtime, now } = facts;
  if (runtime?.running === true || openRun !== null) return 'running';
  if (!enabled) return 'off';
  if (runtime?.paused === true) return 'paused';
  if (failure !== null) return 'failed';
  if (silenceOf(facts) !== null) return 'silent';
  if (lastRun?.outcome === 'missed' && now - Date.parse(lastRun.at) < DAY_MS) {
    return 'missed';
  }
  if (runtime?.armed === false) return 'not-armed';
  if (problem !== null) return 'unready';
  return limitOf(facts) === null ? 'armed' : 'limited';
}

const ORDER: readonly EntryState[] = [
  'invalid',
  'failed',
  'paused',
  'not-armed',
  'unready',
  'limited',
  'silent',
  'missed',
  'running',
  'armed',
  'off',
];

function byUrgency(a: Entry, b: Entry): number {
  if (a.needsYou !== b.needsYou) return a.needsYou ? -1 : 1;
  const rank = ORDER.indexOf(a.state) - ORDER.indexOf(b.state);
  if (rank !== 0) return rank;
  // An instant sorts before none.
  const [next, other] = [a.nextFire ?? '~', b.nextFire ?? '~'];
  if (next !== other) return next < other ? -1 : 1;
  return a.name.localeCompare(b.name);
}
