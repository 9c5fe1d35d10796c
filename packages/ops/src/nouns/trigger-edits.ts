import { failure, type Issue, type Result, success } from '@svc/core';
import type { Decision, ProjectSnapshot } from '@svc/projects';
import {
  effectiveRecord,
  validateTrigger,
  validateTriggerName,
  type WrittenTrigger,
} from '@svc/trigger-schema';
import { invalidInput, type OperationError } from '../errors.ts';
import type { Verdict } from '../trigger-results.ts';
import type { TriggerEdits } from '../trigger-work.ts';
import { definitionHash } from './definition.ts';
import { etagOf } from './etag.ts';
import type { NounParts } from './parts.ts';
import { endPause } from './pauses.ts';
import { onlyDisables, rulesIn } from './rules-in.ts';
import { editWhere, foreseeWhere, refusalOf, type StoredEntry } from './trigger-file.ts';

type Parts = Pick<NounParts, 'deps' | 'arming' | 'rules' | 'pauses' | 'changeLog' | 'remarks'>;

export function createTriggerEdits(parts: Parts): TriggerEdits {
  const { deps, arming, rules, pauses, changeLog, remarks } = parts;
  const check = ({ file }: ProjectSnapshot, record: unknown, name?: string) => {
    const own = rulesIn(rules, file);
    const strict = validateTrigger(record, own);
    const stored = name === undefined ? undefined : file?.triggers.get(name)?.record;
    if (strict.ok || stored === undefined) return strict;
    const lenient = validateTrigger(record, { ...own, unheldLimits: 'warn' });
    return lenient.ok && onlyDisables(stored, lenient.value) ? lenient : strict;
  };
  return {
    async put(caller, place, name, record, condition = {}) {
      const { slug: project } = place;
      const named = validateTriggerName(name);
      if (!named.ok) return failure(invalidInput(named.issues));
      const valid = check(place, record, name);
      if (!valid.ok) return failure(invalidInput(valid.issues));
      const target = { project, name, condition };
      const hash = definitionHash(valid.value);
      const dropNote = await changeLog.about(caller, target, hash);
      const put = await editWhere(deps, target, putting(name, record));
      if (!put.ok) {
        await dropNote();
        return put;
      }
      await deps.store.triggers.unbind({ project, name, hash });
      if (valid.value.enabled) await endPause(pauses, caller, { project, source: 'trigger', name });
      await arming.sync(project);
      await dropNote();
      const wire = effectiveRecord(name, project, valid.value);
      const warnings = remarks.warningsOfRecord(place, name, valid);
      return success({ record: wire, etag: etagOf(wire), created: put.value, warnings });
    },
    async remove(caller, { slug: project }, name, condition = {}) {
      if (!validateTriggerName(name).ok) return success({ removed: false });
      const target = { project, name, condition };
      const dropNote = await changeLog.about(caller, target, null);
      const removed = await editWhere<boolean>(deps, target, ({ exists }) =>
        success({ edit: exists ? { remove: name } : null, value: exists }),
      );
      if (removed.ok && removed.value) {
        await arming.sync(project);
      }
      await dropNote();
      return removed.ok ? success({ removed: removed.value }) : removed;
    },
    async validate(place, record, name) {
      const valid = check(place, record, name);
      const verdict = valid.ok
        ? { valid: true, issues: [], warnings: remarks.warningsOfRecord(place, name, valid) }
        : { valid: false, issues: valid.issues, warnings: valid.warnings };
      if (name === undefined) return success(verdict);
      const named = validateTriggerName(name);
      if (!named.ok) return success(notValid(verdict, named.issues));
      if (!valid.ok) return success({ ...verdict, edit: null });
      const target = { project: place.slug, name };
      const foreseen = await foreseeWhere(deps, target, putting(name, record));
      return foreseen.ok
        ? success({ ...verdict, edit: foreseen.value })
        : refusedPut(verdict, foreseen.error);
    },
  };
}

// The decision of a PUT; a dry run makes the same decision.
function putting(name: string, record: unknown) {
  return (stored: StoredEntry): Result<Decision<boolean>, OperationError> => {
    const refusal = refusalOf(name, stored);
    if (refusal !== null) return failure(refusal);
    const edit = { put: name, record: record as WrittenTrigger };
    return success({ edit, value: !stored.exists });
  };
}

function notValid(verdict: Verdict, issues: readonly Issue[]): Verdict {
  return { ...verdict, valid: false, issues: [...issues, ...verdict.issues], edit: null };
}

// The record is valid, but cannot be stored for another reason.
function refusedPut(verdict: Verdict, error: OperationError): Result<Verdict, OperationError> {
  const { code, message, issues = [] } = error;
  if (code === 'not_found') return failure(error);
  if (code === 'invalid') return success(notValid(verdict, issues));
  const why = { path: '', message: `cannot be stored now: ${message}` };
  return success({ ...verdict, warnings: [...verdict.warnings, why, ...issues], edit: null });
}
