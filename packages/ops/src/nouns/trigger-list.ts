import type { Issue } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import {
  type CatalogTool,
  EVENTS,
  GRANTABLE_TOOLS,
  type Run,
  type Source,
  TRIGGER_TYPES,
} from '@svc/records';
import type { Scheduler } from '@svc/scheduler';
import {
  effectiveRecord,
  type LegacySchedule,
  type NamedTrigger,
  type ProjectFile,
} from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import { definitionOf } from './definition.ts';
import { toldOf } from './prompt-warnings.ts';
import { upcomingOf } from './upcoming.ts';

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

/** The triggers of a project with their newest runs and next fires. */
export async function listOf(
  deps: OpsDeps,
  scheduler: Scheduler,
  snapshot: ProjectSnapshot,
): Promise<Omit<TriggerList, 'catalog'>> {
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
    ...CHOICES,
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
