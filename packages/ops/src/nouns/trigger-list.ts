import type { Issue } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import { EVENTS, GRANTABLE_TOOLS, type Source, TRIGGER_TYPES } from '@svc/records';
import type { Scheduler } from '@svc/scheduler';
import { effectiveRecord, type ProjectFile } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { Catalog, InvalidEntry, TriggerList } from '../results.ts';
import { definitionOf } from './definition.ts';
import { toldOf } from './prompt-warnings.ts';
import { upcomingOf } from './upcoming.ts';

/** The triggers of a project with their newest runs and next fires. */
export async function triggerListOf(
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
