import type { Issue } from '@svc/core';
import type { TriggerRecord } from './trigger-record.schema.ts';

/** What of a project file says who the curator is. */
interface Triggers {
  readonly triggers: ReadonlyMap<string, { readonly record: TriggerRecord }>;
}

/** Whether a trigger is switched on as a curator, whatever others there are. */
export function isCuratorRecord({ trigger, enabled }: TriggerRecord): boolean {
  return enabled && trigger.type === 'event' && trigger.on === 'afterTurn';
}

/** Name of the curator of a project: of the enabled `afterTurn` triggers the first in the file; null where there is none. */
export function curatorOf({ triggers }: Triggers): string | null {
  for (const [name, { record }] of triggers) if (isCuratorRecord(record)) return name;
  return null;
}

/** Whether the trigger of this name is the curator of its project. */
export function isCurator(file: Triggers, name: string): boolean {
  return curatorOf(file) === name;
}

/**
 * What is to be said of a record that is a curator where another one comes first, as it would stand in the file under a
 * name: in the place of the entry of that name, else, or without a name, at the end. null for nothing.
 */
export function curatorWarning(
  file: Triggers & { readonly written: ReadonlyMap<string, unknown> },
  name: string | undefined,
  record: TriggerRecord,
): Issue | null {
  if (!isCuratorRecord(record)) return null;
  for (const before of file.written.keys()) {
    if (before === name) return null;
    const entry = file.triggers.get(before);
    if (entry !== undefined && isCuratorRecord(entry.record)) {
      return { path: 'trigger.on', message: `${isSecondCurator(before)}.` };
    }
  }
  return null;
}

/** The message of that warning, without its end. */
export function isSecondCurator(first: string): string {
  return `is afterTurn, as in ${first}, which stands before it in the file: of several only the first runs, so this trigger does not; disable one of them`;
}
