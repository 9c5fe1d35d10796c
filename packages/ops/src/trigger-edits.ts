import { failure, type Issue, type Result, success } from '@svc/core';
import {
  effectiveRecord,
  type NamedTrigger,
  type ProjectRules,
  validateTrigger,
  validateTriggerName,
  type WrittenTrigger,
} from '@svc/trigger-schema';
import type { Arming } from './arming.ts';
import type { Caller } from './caller.ts';
import { projectOf } from './chats.ts';
import type { OpsDeps } from './deps.ts';
import { invalidInput, type OperationError } from './errors.ts';
import { warningsOfRecord } from './prompt-warnings.ts';
import { type EditCondition, editWhere, refusalOf } from './trigger-file.ts';
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
  // That there is no such project comes before faults of what was sent to it.
  const refuse = async (project: string, issues: readonly Issue[]): Answer<never> => {
    const snapshot = await projectOf(deps, project);
    return snapshot.ok ? failure(invalidInput(issues)) : snapshot;
  };
  return {
    async put(_caller, project, name, record, condition = {}) {
      const named = validateTriggerName(name);
      if (!named.ok) return refuse(project, named.issues);
      const valid = validateTrigger(record, { ...validation, unknownKeys: 'refuse-misspelt' });
      if (!valid.ok) return refuse(project, valid.issues);
      const target = { project, name, condition };
      const put = await editWhere<boolean>(deps, target, (stored) => {
        const refusal = refusalOf(name, stored);
        if (refusal !== null) return failure(refusal);
        const edit = { put: name, record: record as WrittenTrigger };
        return success({ edit, value: !stored.exists });
      });
      if (!put.ok) return put;
      await deps.store.triggers.unbindOthers({ project, name }, null);
      await arming.sync(project);
      const wire = effectiveRecord(name, project, valid.value);
      const place = await deps.projects.snapshot(project);
      const warnings = place === null ? valid.warnings : warningsOfRecord(place, valid);
      return success({ record: wire, etag: etagOf(wire), created: put.value, warnings });
    },
    async remove(_caller, project, name, condition = {}) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      if (!validateTriggerName(name).ok) return success({ removed: false });
      const target = { project, name, condition };
      const removed = await editWhere<boolean>(deps, target, ({ exists }) =>
        success({ edit: exists ? { remove: name } : null, value: exists }),
      );
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
      if (!valid.ok)
        return success({ valid: false, issues: valid.issues, warnings: valid.warnings });
      const warnings = warningsOfRecord(snapshot.value, valid);
      return success({ valid: true, issues: [], warnings });
    },
  };
}
