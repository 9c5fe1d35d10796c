import { createPace, type Issue } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import { EVENTS, GRANTABLE_TOOLS, type Source, TRIGGER_TYPES } from '@svc/records';
import {
  effectiveRecord,
  type NamedTrigger,
  type ProjectFile,
  type TriggerRecord,
} from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { ShownFires } from '../overviews.ts';
import type {
  Catalog,
  InvalidEntry,
  ListedSchedule,
  ListedTrigger,
  TriggerList,
} from '../trigger-results.ts';
import type { ArmedStatesIn } from './armed-states.ts';
import { type Definition, definitionOf } from './definition.ts';
import { etagOf } from './etag.ts';
import { remarksOn } from './prompt-warnings.ts';
import { type RuntimeInForce, type RuntimeInForceOf, runtimeFault } from './runtime-limits.ts';
import type { ScheduleFactsOf } from './schedule-facts.ts';
import { upcomingOf } from './upcoming.ts';
import { daysNow, triggerUse } from './usage.ts';

/** Lists the triggers of a project with their newest runs and next fires. */
export type TriggerLister = (snapshot: ProjectSnapshot) => Promise<Omit<TriggerList, 'catalog'>>;

const RECENT_RUNS = 10;
const UPCOMING = 5;
const NO_RUNTIME: RuntimeInForce = { runtime: '', unheld: [] };

export function createTriggerLister(
  deps: OpsDeps,
  armedIn: ArmedStatesIn,
  { factsOf, inForceOf }: { factsOf: ScheduleFactsOf; inForceOf: RuntimeInForceOf },
): TriggerLister {
  const wireOf = createWireMemory();
  return async (snapshot) => {
    const { slug, file, faults } = snapshot;
    const { runs, usage } = deps.store;
    const now = deps.clock.now();
    const [armed, newest, recent, used] = await Promise.all([
      armedIn([snapshot]),
      runs.newest(slug),
      runs.recent(slug, RECENT_RUNS),
      usage.ofTriggers(slug, daysNow(now)),
    ]);
    const shown = (
      source: Source,
      name: string,
      { schedules, triggers, settings }: ProjectFile,
    ): ShownFires => {
      const definition = definitionOf({ schedules, triggers }, { project: slug, source, name });
      const fires =
        definition === null ? [] : upcomingOf(armed, definition, { now, count: UPCOMING });
      const inForce = definition === null ? NO_RUNTIME : inForceOf(definition, settings);
      return {
        usage: triggerUse(used.get(`${source}/${name}`)),
        ...shownRuntime(inForce, definition),
        lastRun: newest.get(`${source}/${name}`) ?? null,
        recentRuns: recent.get(`${source}/${name}`) ?? [],
        upcoming: fires.map((at) => new Date(at).toISOString()),
        schedule: factsOf(definition?.when ?? null),
      };
    };
    const pace = createPace(deps.clock);
    const triggers: ListedTrigger[] = [];
    for (const [name, entry] of file?.triggers ?? []) {
      const extras = shown('trigger', name, file as ProjectFile);
      const { record, etag } = wireOf(slug, name, entry.record);
      triggers.push({ ...record, ...extras, etag, ...remarksOn(snapshot, 'trigger', entry) });
      await pace.breathe();
    }
    const legacySchedules: ListedSchedule[] = [];
    for (const [name, entry] of file?.schedules ?? []) {
      const extras = shown('schedule', name, file as ProjectFile);
      legacySchedules.push({
        name,
        ...entry.record,
        ...extras,
        ...remarksOn(snapshot, 'schedule', entry),
      });
      await pace.breathe();
    }
    return { triggers, invalid: invalidOf(file, faults), legacySchedules, ...CHOICES };
  };
}

function shownRuntime(
  inForce: RuntimeInForce,
  definition: Definition | null,
): Pick<ShownFires, 'runtimeInForce' | 'unheld' | 'problem'> {
  const { runtime: runtimeInForce, unheld } = inForce;
  if (unheld.length === 0) return { runtimeInForce };
  const problem = definition?.enabled === true ? runtimeFault(inForce) : null;
  return { runtimeInForce, unheld, ...(problem === null ? {} : { problem }) };
}

interface Wire {
  readonly slug: string;
  readonly record: NamedTrigger;
  readonly etag: string;
}

// A file that has not changed says the same, and its tags take longer than all else.
function createWireMemory(): (slug: string, name: string, record: TriggerRecord) => Wire {
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

/** What there is to choose from, but for what is to be said of each tool. */
export const CHOICES: Omit<Catalog, 'tools'> = Object.freeze({
  grantableTools: GRANTABLE_TOOLS,
  events: EVENTS,
  triggerTypes: TRIGGER_TYPES,
});

/** What of a project file does not count, and why. */
export function invalidOf(file: ProjectFile | null, faults: readonly Issue[]): InvalidEntry[] {
  const entries: InvalidEntry[] = [...(file?.invalid ?? [])];
  const issues = faults.length > 0 ? faults : (file?.fileIssues ?? []);
  if (issues.length > 0) entries.unshift({ name: 'project.yaml', source: 'file', issues });
  return entries;
}
