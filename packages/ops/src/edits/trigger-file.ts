import { failure, type Result, success } from '@svc/core';
import { type Answer, hash, invalidInput, type OperationError } from '@svc/engine';
import type { Decision } from '@svc/projects';
import {
  effectiveRecord,
  isReservedTriggerName,
  MOST_ENTRIES,
  type NamedTrigger,
  type ProjectFile,
} from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';

/** A possible change of `project.yaml`, and the entity tag of the stored trigger. */
export interface TriggerEditPreview {
  /** The current file. */
  readonly before: string;
  /** The file after the change. */
  readonly after: string;
  /** Entity tag of the stored trigger, for `If-Match`; null if there is none, or it is invalid. */
  readonly etag: string | null;
}

/** An HTTP condition on the stored trigger: a list of entity tags, or `*` for "exists". */
export interface EditCondition {
  readonly ifMatch?: string | undefined;
  /** `*`: only if it does not exist. */
  readonly ifNoneMatch?: string | undefined;
}

/** The trigger of an edit. */
export interface EditTarget {
  readonly project: string;
  readonly name: string;
  readonly condition: EditCondition;
}

// It would hide a route.
const RESERVED: OperationError = invalidInput([
  {
    path: 'name',
    message:
      'must not be "runtime" for a new trigger: that name is reserved for the address of the runtime state.',
  },
]);

/**
 * Changes `project.yaml`. The condition is checked on the same text that is changed, so that no other edit can come in
 * between.
 */
export async function editWhere<T>(
  deps: OpsDeps,
  target: EditTarget,
  decide: (stored: StoredEntry) => Result<Decision<T>, OperationError>,
): Answer<T> {
  const edited = await deps.projects.edit<T, OperationError>(target.project, (file) => {
    const stored = storedEntry(target, file);
    return isMet(target.condition, stored) ? decide(stored) : failure(PRECONDITION);
  });
  return edited.ok ? success(edited.value.value) : edited;
}

/** The file as `editWhere` would write it with the same decision, without a condition; nothing is written. */
export async function previewWhere(
  deps: OpsDeps,
  target: Omit<EditTarget, 'condition'>,
  decide: (stored: StoredEntry) => Result<Decision<unknown>, OperationError>,
): Answer<TriggerEditPreview> {
  const { projects } = deps;
  const preview = await projects.previewEdit<string | null, OperationError>(
    target.project,
    (file) => {
      const stored = storedEntry(target, file);
      const decided = decide(stored);
      return decided.ok ? success({ edit: decided.value.edit, value: stored.etag }) : decided;
    },
  );
  if (!preview.ok) return preview;
  const { before, after, value: etag } = preview.value;
  return success({ before, after, etag });
}

const PRECONDITION: OperationError = {
  code: 'precondition_failed',
  message: 'The trigger was changed in the meantime. Fetch it again.',
};

/** The entry of one trigger in `project.yaml`. */
export interface StoredEntry {
  readonly file: ProjectFile;
  readonly exists: boolean;
  readonly etag: string | null;
}

function storedEntry(
  { project, name }: Omit<EditTarget, 'condition'>,
  file: ProjectFile,
): StoredEntry {
  const entry = file.triggers.get(name);
  const etag = entry === undefined ? null : etagOf(effectiveRecord(name, project, entry.record));
  return { file, exists: file.written.has(name) || file.beyond.has(name), etag };
}

/** Why a trigger with this name cannot be written; null if it can. */
export function refusalOf(name: string, { file, exists }: StoredEntry): OperationError | null {
  if (!exists && isReservedTriggerName(name)) return RESERVED;
  const runs = exists ? !file.beyond.has(name) : file.entryCount < MOST_ENTRIES;
  return runs ? null : FULL;
}

const FULL: OperationError = {
  code: 'conflict',
  message: `A project can have at most ${MOST_ENTRIES} active triggers and schedules. Remove one first, or use another project.`,
};

function isMet(condition: EditCondition, stored: StoredEntry): boolean {
  const { ifMatch, ifNoneMatch } = condition;
  if (ifNoneMatch?.trim() === '*' && stored.exists) return false;
  if (ifMatch === undefined) return true;
  if (ifMatch.trim() === '*') return stored.exists;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return stored.etag !== null && tags.includes(stored.etag);
}

/** The entity tag of a trigger, which changes whenever its record changes. */
export function etagOf(record: NamedTrigger): string {
  return `"${hash(JSON.stringify(record))}"`;
}
