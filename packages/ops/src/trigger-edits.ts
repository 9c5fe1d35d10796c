import { failure, type Issue, invalid, type Result, success } from '@svc/core';
import {
  effectiveRecord,
  isReservedTriggerName,
  type NamedTrigger,
  type ProjectRules,
  putTriggerText,
  removeTriggerText,
  validateTrigger,
  validateTriggerName,
  type WrittenTrigger,
} from '@svc/trigger-schema';
import type { Arming } from './arming.ts';
import type { Caller } from './caller.ts';
import { projectOf } from './chats.ts';
import type { OpsDeps } from './deps.ts';
import { invalidInput, type OperationError } from './errors.ts';
import { type EditCondition, type EditTarget, editWhere, RESERVED } from './trigger-file.ts';
import { etagOf } from './triggers.ts';

type Answer<T> = Promise<Result<T, OperationError>>;

/** A record that was accepted. */
export interface AcceptedTrigger {
  readonly record: NamedTrigger;
  readonly etag: string;
  readonly created: boolean;
  readonly warnings: readonly Issue[];
}

/** Changing triggers; what is acknowledged is in `project.yaml` and armed. */
export interface TriggerEdits {
  /** Creates or replaces a trigger. Absent `enabled` means false. */
  put(
    caller: Caller,
    project: string,
    name: string,
    record: unknown,
    condition?: EditCondition,
  ): Answer<AcceptedTrigger>;
  remove(
    caller: Caller,
    project: string,
    name: string,
    condition?: EditCondition,
  ): Answer<{ removed: boolean }>;
  /** Checks a record without storing it. */
  validate(
    project: string,
    record: unknown,
  ): Answer<{ valid: boolean; issues: readonly Issue[]; warnings: readonly Issue[] }>;
}

export function createTriggerEdits(
  deps: OpsDeps,
  arming: Arming,
  validation: ProjectRules,
): TriggerEdits {
  return {
    async put(_caller, project, name, record, condition = {}) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      const named = validateTriggerName(name);
      if (!named.ok) return failure(invalidInput(named.issues));
      const valid = validateTrigger(record, { ...validation, unknownKeys: 'refuse-misspelt' });
      if (!valid.ok) return failure(invalidInput(valid.issues));
      const target = { project, name, condition, validation };
      const put = await putInFile(deps, target, record as WrittenTrigger);
      if (!put.ok) return put;
      await deps.store.triggers.unbindOthers({ project, name }, null);
      await arming.sync(project);
      const wire = effectiveRecord(name, project, valid.value);
      const { warnings } = valid;
      return success({ record: wire, etag: etagOf(wire), created: put.value, warnings });
    },
    async remove(_caller, project, name, condition = {}) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      if (!validateTriggerName(name).ok) return success({ removed: false });
      const removed = await removeFromFile(deps, { project, name, condition, validation });
      if (removed.ok && removed.value) {
        await deps.store.triggers.unbindOthers({ project, name }, null);
        await arming.sync(project);
      }
      return removed.ok ? success({ removed: removed.value }) : removed;
    },
    async validate(project, record) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      const valid = validateTrigger(record, { ...validation, unknownKeys: 'refuse-misspelt' });
      const issues = valid.ok ? [] : valid.issues;
      return success({ valid: valid.ok, issues, warnings: valid.warnings });
    },
  };
}

async function putInFile(
  deps: OpsDeps,
  target: EditTarget,
  declared: WrittenTrigger,
): Answer<boolean> {
  let created = false;
  const edited = await editWhere(deps, target, (text, { exists }) => {
    created = !exists;
    if (created && isReservedTriggerName(target.name)) return invalid(RESERVED);
    return putTriggerText(text, target.name, declared);
  });
  return edited.ok ? success(created) : edited;
}

async function removeFromFile(deps: OpsDeps, target: EditTarget): Answer<boolean> {
  let removed = false;
  const edited = await editWhere(deps, target, (text) => {
    const result = removeTriggerText(text, target.name);
    if (!result.ok) return result;
    removed = result.value.removed;
    return success(result.value.text);
  });
  return edited.ok ? success(removed) : edited;
}
