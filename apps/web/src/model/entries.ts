import type {
  InvalidEntry,
  LegacySchedule,
  RecentRun,
  RuntimeState,
  Trigger,
} from '../data/api-types.ts';
import { isSkip, type StateLabel, stateLabelOf } from './outcomes.ts';

const DAY_MS = 86_400_000;

/** The states of a trigger; the first that applies wins. */
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

/** The pause of a trigger after failures. */
export interface OwnPause {
  /** UTC ISO text. */
  readonly at: string;
  /** A sentence. */
  readonly reason: string;
}

/** A trigger that does not fire until a given time, because its slots until then already ran while the clock was ahead. */
interface Silence {
  /** UTC ISO text. */
  readonly until: string;
  /** Whether the user can resume it earlier. */
  readonly canResume: boolean;
}

type ZoneData = NonNullable<RuntimeState['zoneData']>;

/** A trigger of a project as the page shows it, including invalid entries and legacy schedules. */
export interface Entry {
  readonly project: string;
  readonly name: string;
  readonly source: 'trigger' | 'schedule' | 'file';
  readonly state: EntryState;
  /** Whether it needs attention, as decided by the service. */
  readonly needsYou: boolean;
  /** The daily limit that stops it from starting today, in a sentence; null for none. */
  readonly limited: string | null;
  /** Whether it is enabled and paused, on its own or with all triggers. */
  readonly isPaused: boolean;
  /** Its pause after failures; null for none. */
  readonly pause: OwnPause | null;
  /** Set when its next slots already ran before the clock was set back; else null. */
  readonly silence: Silence | null;
  /** The difference of its zone data between Node and the host; null for none. */
  readonly zoneData: ZoneData | null;
  readonly isArmed: boolean;
  /** UTC ISO text. */
  readonly nextFire: string | null;
  /** The delay between the slot and the start of the turn, in milliseconds. */
  readonly startDelayMs: number;
  /** Why it is not armed, in a sentence; null when it is armed. */
  readonly notArmed: string | null;
  /** A problem of an armed trigger, or one that it will have once enabled, in a sentence. */
  readonly remark: string | null;
  /** Why every run will fail, in a sentence. */
  readonly problem: string | null;
  /** The run that failed; else the newest run that was not skipped. */
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

/** The triggers of a project as the service returns them. */
export interface ProjectTriggers {
  readonly triggers: readonly Trigger[];
  readonly invalid: readonly InvalidEntry[];
  readonly legacySchedules: readonly LegacySchedule[];
  readonly runtime: readonly RuntimeState[];
}

/** The entries of project.yaml, valid or not, which all trigger counts include. An unreadable file is not an entry. */
export function triggersIn(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ source }) => source !== 'file');
}

export const STATES: Readonly<Record<EntryState, StateLabel>> = {
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

/** Joins declarations with runtime state, sorted: entries that need attention first, disabled ones last. */
export function entriesOf(project: string, listed: ProjectTriggers, now: number): Entry[] {
  const runtimeOf = (source: string, name: string): RuntimeState | undefined =>
    listed.runtime.find((each) => each.source === source && each.name === name);
  return [
    ...listed.invalid.map((entry) => invalidEntry(project, entry)),
    ...listed.triggers.map((trigger) => {
      const own = { trigger, enabled: trigger.enabled, runs: trigger.recentRuns };
      return validEntry(project, { ...own, runtime: runtimeOf('trigger', trigger.name), now });
    }),
    ...listed.legacySchedules.map((schedule) => {
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
  // A missed run sorts by its scheduled time, not by the time it was recorded.
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
  const { silentUntil = null, canResume = false } = runtime?.clock ?? {};
  return enabled && silentUntil !== null ? { until: silentUntil, canResume } : null;
}

// Clock and zone effects are shown separately, in the time zone of the reader.
function reasonOf({ runtime }: Facts): string | null {
  const reason = runtime?.reason ?? null;
  const isShownElsewhere =
    reason === runtime?.clock?.message || reason === runtime?.zoneData?.message;
  return runtime?.paused === true || isShownElsewhere ? null : reason;
}

function remarkOf(facts: Facts, problem: string | null): string | null {
  const { enabled, runtime } = facts;
  // The reason of a pause is shown with the pause.
  const reason = reasonOf(facts);
  if (!enabled || runtime?.armed === true) return enabled ? (reason ?? problem) : null;
  return problem === reason ? null : problem;
}

// A disabled trigger has no problem until it is enabled.
function unheldText(unheld: Trigger['unheld'] = []): string | null {
  if (unheld.length === 0) return null;
  const faults = unheld.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return `If you enable it, its runs will fail: ${faults.join(' ')}`;
}

function limitOf({ runtime }: Facts): string | null {
  return runtime?.attention?.find(({ kind }) => kind === 'limited')?.reason ?? null;
}

/** The failure of an enabled trigger; later missed or skipped runs do not hide it. */
function failureOf({ enabled, runs }: Facts): RecentRun | null {
  if (!enabled) return null;
  const hadTurn = (run: RecentRun) => run.state === 'ended' && !isSkip(run);
  const last = runs.find((run) => hadTurn(run) && run.outcome !== 'missed');
  return last !== undefined && stateLabelOf(last).tone === 'bad' ? last : null;
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
  // A time sorts before no time.
  const [next, other] = [a.nextFire ?? '~', b.nextFire ?? '~'];
  if (next !== other) return next < other ? -1 : 1;
  return a.name.localeCompare(b.name);
}
