import { type Checked, failure, type Issue, invalid, type Result, success } from '@svc/core';
import {
  effectiveRecord,
  type ProjectFile,
  type ProjectRules,
  parseProject,
} from '@svc/trigger-schema';
import type { OpsDeps } from './deps.ts';
import type { OperationError } from './errors.ts';
import { etagOf } from './triggers.ts';

type Answer<T> = Promise<Result<T, OperationError>>;

/** A condition on what is stored, as HTTP gives it: a list of entity tags, or `*` for "exists". */
export interface EditCondition {
  readonly ifMatch?: string;
  /** `*`: only if it does not exist yet. */
  readonly ifNoneMatch?: string;
}

/** The trigger that an edit is about. */
export interface EditTarget {
  readonly project: string;
  readonly name: string;
  readonly condition: EditCondition;
  readonly validation: ProjectRules;
}

const IN_THE_WAY = 'project.yaml does not allow this change as it is written: see issues.';

/** A name that would hide a route. */
export const RESERVED: Issue = {
  path: 'name',
  message: 'must not be runtime for a new trigger: that address shows the armed state.',
};

/** Changes `project.yaml`. The condition is checked on the very text that is about to be changed, so nobody can slip in between. */
export async function editWhere(
  deps: OpsDeps,
  target: EditTarget,
  change: (text: string, stored: StoredEntry) => Checked<string>,
): Answer<void> {
  let unmet = false;
  const edited = await deps.projects.edit(target.project, (text) => {
    const stored = storedEntry(target, text);
    unmet = !isMet(target.condition, stored);
    return unmet ? invalid() : change(text, stored);
  });
  if (unmet) return failure(PRECONDITION);
  if (edited.ok) return success(undefined);
  const { code, message, issues } = edited.error;
  // The record itself was checked before: what stands in the way now is the file.
  const obstacle = code === 'invalid' && !issues.includes(RESERVED);
  return failure(
    obstacle ? { code: 'conflict', message: IN_THE_WAY, issues } : { code, message, issues },
  );
}

const PRECONDITION: OperationError = {
  code: 'precondition_failed',
  message: 'The trigger has been changed by somebody else meanwhile: fetch it again.',
};

/** What a text of `project.yaml` holds of one trigger. */
interface StoredEntry {
  /** The whole file, or what keeps it from being read. */
  readonly file: Checked<ProjectFile>;
  readonly exists: boolean;
  readonly etag: string | null;
}

function storedEntry(target: EditTarget, text: string): StoredEntry {
  const file = parseProject(text, target.validation);
  if (!file.ok) return { file, exists: false, etag: null };
  const entry = file.value.triggers.get(target.name);
  if (entry !== undefined) {
    const wire = effectiveRecord(target.name, target.project, entry.record);
    return { file, exists: true, etag: etagOf(wire) };
  }
  const { invalid: dropped } = file.value;
  const exists = dropped.some((one) => one.source === 'trigger' && one.name === target.name);
  return { file, exists, etag: null };
}

function isMet(condition: EditCondition, stored: StoredEntry): boolean {
  const { ifMatch, ifNoneMatch } = condition;
  if (ifNoneMatch?.trim() === '*' && stored.exists) return false;
  if (ifMatch === undefined) return true;
  if (ifMatch.trim() === '*') return stored.exists;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return stored.etag !== null && tags.includes(stored.etag);
}
