import type { EventName, Slug } from '@svc/records';
import type { ProjectFile } from '@svc/trigger-schema';
import { type Definition, definitionsOf } from './definition.ts';

/** The enabled triggers of an event, in the order of the file. Of an `afterTurn`, only the first one runs. */
export function hooksOf(project: Slug, file: ProjectFile, event: EventName): Definition[] {
  return definitionsOf(project, file).filter(
    (definition) => definition.enabled && eventOf(definition) === event,
  );
}

/** The event that fires a trigger; null where none does. */
export function eventOf({ record }: Pick<Definition, 'record'>): EventName | null {
  if (!('trigger' in record) || record.trigger.type !== 'event') return null;
  return record.trigger.on;
}
