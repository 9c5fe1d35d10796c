import type { EventName, Slug } from '@svc/records';
import type { ProjectFile } from '@svc/trigger-schema';
import { type Definition, definitionsOf } from '../definition.ts';

/** The triggers that an archived chat fires, in the order of the file. */
export function archiveHooks(project: Slug, file: ProjectFile): Definition[] {
  return definitionsOf(project, file).filter(
    (definition) => definition.enabled && eventOf(definition) === 'onArchive',
  );
}

/** The event that fires a trigger; null if none does. */
export function eventOf({ record }: Pick<Definition, 'record'>): EventName | null {
  if (!('trigger' in record) || record.trigger.type !== 'event') return null;
  return record.trigger.on;
}
