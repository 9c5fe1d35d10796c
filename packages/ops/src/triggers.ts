import { type Clock, failure, type Issue, type Result, success } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import {
  type CatalogTool,
  EVENTS,
  GRANTABLE_TOOLS,
  type Run,
  type Source,
  TOOL_CATALOG,
  TRIGGER_TYPES,
  type TriggerType,
} from '@svc/records';
import {
  effectiveRecord,
  type LegacySchedule,
  type NamedTrigger,
  type ProjectFile,
} from '@svc/trigger-schema';
import type { Caller } from './caller.ts';
import { projectOf } from './chats.ts';
import { type Definition, definitionOf, definitionsOf, hash } from './definition.ts';
import type { OpsDeps } from './deps.ts';
import type { OperationError } from './errors.ts';
import type { Fired, FireTrigger } from './firing.ts';
import { noTrigger } from './no-trigger.ts';
import { hostZone } from './preview.ts';
import { entryWarnings, promptFaultOf, toldOf } from './prompt-warnings.ts';
import { type PlannedFire, plannedFires, upcomingOf } from './upcoming.ts';

type Answer<T> = Promise<Result<T, OperationError>>;
type Scheduler = ReturnType<OpsDeps['createScheduler']>;

/** A trigger as lists show it. */
export type ListedTrigger = NamedTrigger & {
  readonly lastRun: Run | null;
  /** The next fires while it is armed, up to five. */
  readonly upcoming: readonly string[];
  /** What its author should know; absent where there is nothing. */
  readonly warnings?: readonly Issue[];
};

/** What there is to choose from when a trigger is made. */
export interface Catalog {
  readonly grantableTools: readonly string[];
  readonly events: readonly string[];
  readonly triggerTypes: readonly string[];
  readonly tools: readonly CatalogTool[];
}

/** An entry, or the whole file (`project.yaml`), that does not count, and why. */
export interface InvalidEntry {
  readonly name: string;
  readonly source: Source | 'file';
  readonly issues: readonly Issue[];
}

/** The triggers of a project. */
export interface TriggerList {
  readonly triggers: readonly ListedTrigger[];
  readonly invalid: readonly InvalidEntry[];
  readonly legacySchedules: readonly (LegacySchedule & {
    readonly name: string;
    readonly lastRun: Run | null;
    readonly upcoming: readonly string[];
    readonly warnings?: readonly Issue[];
  })[];
  readonly grantableTools: readonly string[];
  readonly events: readonly string[];
  readonly triggerTypes: readonly string[];
  readonly catalog: Catalog;
}

/** Whether and when a trigger fires next. */
export interface RuntimeState {
  readonly name: string;
  readonly source: Source;
  readonly type: TriggerType;
  readonly armed: boolean;
  readonly nextFire: string | null;
  readonly timezone: string | null;
  readonly running: boolean;
  readonly paused: boolean;
  readonly reason?: string;
}

/** Reading and firing triggers. */
export interface TriggerOperations {
  list(project: string): Answer<TriggerList>;
  /** One trigger with its entity tag. */
  get(
    project: string,
    name: string,
  ): Answer<{ record: NamedTrigger; etag: string; warnings: readonly Issue[] }>;
  runtime(project: string): Answer<readonly RuntimeState[]>;
  /** Fires a trigger now, also a disabled one. */
  run(caller: Caller, project: string, name: string): Answer<Fired>;
  /** Fires of the coming `hours` (1 to 168), earliest first, at most 1000. */
  upcoming(project: string, hours: number): Answer<readonly PlannedFire[]>;
}

/** The states of the triggers of a project that has been read already. */
export interface TriggerStates {
  statesOf(project: ProjectSnapshot, file: ProjectFile): Promise<readonly RuntimeState[]>;
}

const CATALOG: Catalog = Object.freeze({
  grantableTools: GRANTABLE_TOOLS,
  events: EVENTS,
  triggerTypes: TRIGGER_TYPES,
  tools: TOOL_CATALOG,
});

export function createTriggerOperations(
  deps: OpsDeps,
  scheduler: Scheduler,
  fire: FireTrigger,
): TriggerOperations & TriggerStates {
  const zoneNow = createZoneMemory(deps.clock);
  const statesOf: TriggerStates['statesOf'] = async (project, file) => {
    const running = await deps.store.runs.running(project.slug);
    const zone = zoneNow();
    return definitionsOf(project.slug, file).map((definition) => {
      const { source, name } = definition.key;
      const isRunning = (running.get(`${source}/${name}`) ?? 0) > 0;
      const state = stateOf(scheduler, definition, isRunning, zone);
      const fault = 'reason' in state ? null : promptFaultOf(project, definition);
      return fault === null ? state : { ...state, reason: fault };
    });
  };
  return {
    statesOf,
    async list(project) {
      const snapshot = await projectOf(deps, project);
      return snapshot.ok ? success(await listOf(deps, scheduler, snapshot.value)) : snapshot;
    },
    async get(project, name) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      const entry = snapshot.value.file?.triggers.get(name);
      if (entry === undefined) {
        return failure(noTrigger(snapshot.value, { name, source: 'trigger' }));
      }
      const record = effectiveRecord(name, project, entry.record);
      const warnings = entryWarnings(snapshot.value, 'trigger', entry);
      return success({ record, etag: etagOf(record), warnings });
    },
    async runtime(project) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      const { file } = snapshot.value;
      return success(file === null ? [] : await statesOf(snapshot.value, file));
    },
    async run(caller, project, name) {
      const key = { project, source: 'trigger', name } as const;
      return fire({ key, cause: 'manual', claimed: null, caller });
    },
    async upcoming(project, hours) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      const { file } = snapshot.value;
      if (file === null) return success([]);
      const now = deps.clock.now();
      return success(await plannedFires(deps, scheduler, definitionsOf(project, file), now, hours));
    },
  };
}

const ZONE_MS = 60_000;

// Asking the system takes longer than everything else in a list of states; a minute later it may have changed.
function createZoneMemory(clock: Clock): () => string {
  let known = { zone: '', until: Number.NEGATIVE_INFINITY };
  return () => {
    const now = clock.mono();
    if (now >= known.until) known = { zone: hostZone(), until: now + ZONE_MS };
    return known.zone;
  };
}

/** The entity tag of a trigger: changes whenever its record does. */
export function etagOf(record: NamedTrigger): string {
  return `"${hash(JSON.stringify(record))}"`;
}

async function listOf(
  deps: OpsDeps,
  scheduler: Scheduler,
  snapshot: ProjectSnapshot,
): Promise<TriggerList> {
  const { slug, file, faults } = snapshot;
  const newest = await deps.store.runs.newest(slug);
  const now = deps.clock.now();
  const extras = (source: Source, name: string, file: ProjectFile) => {
    const definition = definitionOf(file, { project: slug, source, name });
    return {
      lastRun: newest.get(`${source}/${name}`) ?? null,
      upcoming:
        definition === null
          ? []
          : upcomingOf(scheduler, definition, now, 5).map((at) => new Date(at).toISOString()),
    };
  };
  return {
    triggers: [...(file?.triggers ?? [])].map(([name, entry]) => ({
      ...effectiveRecord(name, slug, entry.record),
      ...extras('trigger', name, file as ProjectFile),
      ...toldOf(snapshot, 'trigger', entry),
    })),
    invalid: invalidOf(file, faults),
    legacySchedules: [...(file?.schedules ?? [])].map(([name, entry]) => ({
      name,
      ...entry.record,
      ...extras('schedule', name, file as ProjectFile),
      ...toldOf(snapshot, 'schedule', entry),
    })),
    grantableTools: CATALOG.grantableTools,
    events: CATALOG.events,
    triggerTypes: CATALOG.triggerTypes,
    catalog: CATALOG,
  };
}

/** What of a project file does not count, and why. */
export function invalidOf(file: ProjectFile | null, faults: readonly Issue[]): InvalidEntry[] {
  const entries: InvalidEntry[] = [...(file?.invalid ?? [])];
  const issues = faults.length > 0 ? faults : (file?.fileIssues ?? []);
  if (issues.length > 0) entries.unshift({ name: 'project.yaml', source: 'file', issues });
  return entries;
}

const NO_DISPATCH = 'Events are recorded, but do not start triggers in this version yet.';

function stateOf(
  scheduler: Scheduler,
  definition: Definition,
  running: boolean,
  zone: string,
): RuntimeState {
  const { key, type, when, enabled } = definition;
  const base = {
    name: key.name,
    source: key.source,
    type,
    timezone: when?.kind === 'cron' ? (when.timezone ?? zone) : null,
    running,
    paused: false,
  };
  if (type === 'webhook') {
    return { ...base, armed: false, nextFire: null, reason: 'Webhook triggers never fire yet.' };
  }
  if (type === 'event') {
    return { ...base, armed: enabled, nextFire: null, ...(enabled ? { reason: NO_DISPATCH } : {}) };
  }
  const state = scheduler.state(key);
  const reason = state?.error ?? (enabled ? null : 'It is disabled.');
  return {
    ...base,
    armed: state?.armed ?? false,
    nextFire: state?.nextFire == null ? null : new Date(state.nextFire).toISOString(),
    ...(reason === null ? {} : { reason }),
  };
}
