import type { Issue } from '@svc/core';
import type { TriggerRecord } from './trigger-record.schema.ts';

/** The part of a project file that determines its curator. */
interface Triggers {
  readonly triggers: ReadonlyMap<string, { readonly record: TriggerRecord }>;
}

/** Whether a trigger is an enabled curator, regardless of others. */
export function isCuratorRecord({ trigger, enabled }: TriggerRecord): boolean {
  return enabled && trigger.type === 'event' && trigger.on === 'afterTurn';
}

/** Name of the curator of a project: the first enabled `afterTurn` trigger in the file; null if there is none. */
export function curatorOf({ triggers }: Triggers): string | null {
  for (const [name, { record }] of triggers) if (isCuratorRecord(record)) return name;
  return null;
}

/** Whether the trigger of this name is the curator of its project. */
export function isCurator(file: Triggers, name: string): boolean {
  return curatorOf(file) === name;
}

/**
 * The warning about a record that is a curator although an earlier one exists. The record is checked at its place
 * in the file: that of the entry of the same name, or without one, the end. Null if there is no warning.
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

/** The message of that warning, without the full stop. */
export function isSecondCurator(first: string): string {
  return `is afterTurn, but ${first} comes first in the file and is the curator, so this trigger never runs; disable one of them`;
}
