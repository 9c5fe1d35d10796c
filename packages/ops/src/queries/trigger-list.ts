import { createTimeSlice } from '@svc/core';
import {
  type ArmedStatesIn,
  invalidOf,
  type PromptRemarks,
  type ScheduleFactsOf,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import { EVENTS, GRANTABLE_TOOLS, type Source, TRIGGER_TYPES, triggerId } from '@svc/records';
import { effectiveRecord, type NamedTrigger, type TriggerRecord } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import { etagOf } from '../edits/trigger-file.ts';
import type { StandingsIn, TriggerStanding } from './standings.ts';
import type { ShownFires, TriggerList } from './trigger-list.schema.ts';
import { upcomingOf } from './upcoming.ts';
import { daysNow, triggerUse } from './usage.ts';

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
    const { slug, file } = snapshot;
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
    const triggers: TriggerList['triggers'][number][] = [];
    for (const [name, entry] of file?.triggers ?? []) {
      const extras = shown('trigger', name, entry);
      const { record, etag } = wireOf(slug, name, entry.record);
      triggers.push({ ...record, ...extras, etag });
      await timeSlice.yieldToEventLoop();
    }
    const legacySchedules: TriggerList['legacySchedules'][number][] = [];
    for (const [name, entry] of file?.schedules ?? []) {
      legacySchedules.push({ name, ...entry.record, ...shown('schedule', name, entry) });
      await timeSlice.yieldToEventLoop();
    }
    return { triggers, invalid: invalidOf(snapshot), legacySchedules, ...CHOICES };
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
export const CHOICES: Omit<TriggerList['catalog'], 'tools'> = Object.freeze({
  grantableTools: GRANTABLE_TOOLS,
  events: EVENTS,
  triggerTypes: TRIGGER_TYPES,
});
