import { createTimeSlice, type Issue } from '@svc/core';
import {
  type ArmedStatesIn,
  type InvalidEntry,
  invalidOf,
  type PromptRemarks,
  type ScheduleFacts,
  type ScheduleFactsOf,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import {
  type CatalogTool,
  EVENTS,
  GRANTABLE_TOOLS,
  type Run,
  type Source,
  TRIGGER_TYPES,
  triggerId,
} from '@svc/records';
import type { RecentRun } from '@svc/store';
import {
  effectiveRecord,
  type LegacySchedule,
  type NamedTrigger,
  type TriggerRecord,
} from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import { etagOf } from '../edits/trigger-file.ts';
import type { StandingsIn, TriggerStanding } from './standings.ts';
import { upcomingOf } from './upcoming.ts';
import { daysNow, type TriggerUse, triggerUse } from './usage.ts';

/** What lists show of a trigger or legacy schedule besides its definition. */
export interface ShownFires {
  readonly lastRun: Run | null;
  /** The newest runs, newest first, up to ten. */
  readonly recentRuns: readonly RecentRun[];
  /** The next fires while it is armed, up to five. */
  readonly upcoming: readonly string[];
  /** Its schedule in words and numbers; null without a schedule. */
  readonly schedule: ScheduleFacts | null;
  /** Why every run would currently fail, in a sentence; absent if there is no problem, or if disabled. */
  readonly problem?: string;
  readonly usage: TriggerUse;
  /** The effective runtime: of the trigger, else of the project, else the default. */
  readonly runtimeInForce: string;
  /** Limits that the runtime cannot enforce, which prevent it from firing; absent if none. */
  readonly unheld?: readonly Issue[];
  /** Warnings for the author; absent if none. */
  readonly warnings?: readonly Issue[];
}

/** A trigger in lists. */
export type ListedTrigger = NamedTrigger & ShownFires & { readonly etag: string };

/** A legacy schedule in lists. */
export type ListedSchedule = LegacySchedule & ShownFires & { readonly name: string };

/** Choices for creating a trigger. */
export interface Catalog {
  readonly grantableTools: readonly string[];
  readonly events: readonly string[];
  readonly triggerTypes: readonly string[];
  readonly tools: readonly CatalogTool[];
}

/** The triggers of a project. */
export interface TriggerList {
  readonly triggers: readonly ListedTrigger[];
  readonly invalid: readonly InvalidEntry[];
  readonly legacySchedules: readonly ListedSchedule[];
  readonly grantableTools: readonly string[];
  readonly events: readonly string[];
  readonly triggerTypes: readonly string[];
  readonly catalog: Catalog;
}

/** Lists the triggers of a project with their newest runs and next fires. */
export type TriggerLister = (snapshot: ProjectSnapshot) => Promise<Omit<TriggerList, 'catalog'>>;

const RECENT_RUNS = 10;
const UPCOMING = 5;

export function createTriggerLister(
  deps: OpsDeps,
  armedIn: ArmedStatesIn,
  { factsOf, standingsIn, remarks }: ListParts,
): TriggerLister {
  const wireOf = createWireCache();
  return async (snapshot) => {
    const { slug, file, faults } = snapshot;
    const { runs, usage } = deps.store;
    const now = deps.clock.now();
    const [armed, standings, newest, recent, used] = await Promise.all([
      armedIn([snapshot]),
      standingsIn([snapshot]),
      runs.newest(slug),
      runs.recent(slug, RECENT_RUNS),
      usage.ofTriggers(slug, daysNow(now)),
    ]);
    const standingOf = new Map(
      standings.get(slug)?.triggers.map((one) => [triggerId(one.definition.key), one]),
    );
    const shown = (source: Source, name: string, entry: Entry): ShownFires => {
      const standing = standingOf.get(triggerId({ project: slug, source, name }));
      const from = Math.max(now, standing?.limit?.until ?? now);
      const fires =
        standing === undefined
          ? []
          : upcomingOf(armed, standing.definition, { now, from, count: UPCOMING });
      const warnings = remarks.warnings(snapshot, source, entry);
      return {
        usage: triggerUse(used.get(`${source}/${name}`)),
        ...shownRuntime(standing),
        lastRun: newest.get(`${source}/${name}`) ?? null,
        recentRuns: recent.get(`${source}/${name}`) ?? [],
        upcoming: fires.map((at) => new Date(at).toISOString()),
        schedule: factsOf(standing?.definition.when ?? null),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    };
    const timeSlice = createTimeSlice(deps.clock);
    const triggers: ListedTrigger[] = [];
    for (const [name, entry] of file?.triggers ?? []) {
      const extras = shown('trigger', name, entry);
      const { record, etag } = wireOf(slug, name, entry.record);
      triggers.push({ ...record, ...extras, etag });
      await timeSlice.yieldToEventLoop();
    }
    const legacySchedules: ListedSchedule[] = [];
    for (const [name, entry] of file?.schedules ?? []) {
      legacySchedules.push({ name, ...entry.record, ...shown('schedule', name, entry) });
      await timeSlice.yieldToEventLoop();
    }
    return { triggers, invalid: invalidOf(file, faults), legacySchedules, ...CHOICES };
  };
}

type Entry = Parameters<PromptRemarks['warnings']>[2];

interface ListParts {
  readonly factsOf: ScheduleFactsOf;
  readonly standingsIn: StandingsIn;
  readonly remarks: Pick<PromptRemarks, 'warnings'>;
}

function shownRuntime(
  standing: TriggerStanding | undefined,
): Pick<ShownFires, 'runtimeInForce' | 'unheld' | 'problem'> {
  const { effectiveRuntime, fault = null } = standing ?? {};
  const { runtime: runtimeInForce = '', unheld = [] } = effectiveRuntime ?? {};
  return {
    runtimeInForce,
    ...(unheld.length === 0 ? {} : { unheld }),
    ...(fault === null ? {} : { problem: fault }),
  };
}

interface Wire {
  readonly slug: string;
  readonly record: NamedTrigger;
  readonly etag: string;
}

// The result for an unchanged file is cached, because computing entity tags takes longer than the rest.
function createWireCache(): (slug: string, name: string, record: TriggerRecord) => Wire {
  const known = new WeakMap<TriggerRecord, Wire>();
  return (slug, name, stored) => {
    const before = known.get(stored);
    if (before?.slug === slug && before.record.name === name) return before;
    const record = effectiveRecord(name, slug, stored);
    const wire = { slug, record, etag: etagOf(record) };
    known.set(stored, wire);
    return wire;
  };
}

/** The choices for creating a trigger, without the tools. */
export const CHOICES: Omit<Catalog, 'tools'> = Object.freeze({
  grantableTools: GRANTABLE_TOOLS,
  events: EVENTS,
  triggerTypes: TRIGGER_TYPES,
});
