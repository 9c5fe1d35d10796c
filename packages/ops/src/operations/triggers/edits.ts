import { failure, type Result, success } from '@svc/core';
import type { OperationError } from '@svc/engine';
import type { Decision, ProjectSnapshot } from '@svc/projects';
import { validateTrigger, type WrittenTrigger } from '@svc/trigger-schema';
import { onlyDisables, rulesIn } from '../../edits/rules-in.ts';
import { refusalOf, type StoredEntry } from '../../edits/trigger-file.ts';
import type { Services } from '../../services.ts';

/** Validates a record for a project; a record that only disables a stored trigger may exceed its limits. */
export function validRecord(
  { rules }: Pick<Services, 'rules'>,
  { file }: ProjectSnapshot,
  record: unknown,
  name?: string,
) {
  const own = rulesIn(rules, file);
  const strict = validateTrigger(record, own);
  const stored = name === undefined ? undefined : file?.triggers.get(name)?.record;
  if (strict.ok || stored === undefined) return strict;
  const lenient = validateTrigger(record, { ...own, unenforcedLimits: 'warn' });
  return lenient.ok && onlyDisables(stored, lenient.value) ? lenient : strict;
}

/** The decision of a PUT; a dry run makes the same decision. */
export function putting(name: string, record: unknown) {
  return (stored: StoredEntry): Result<Decision<boolean>, OperationError> => {
    const refusal = refusalOf(name, stored);
    if (refusal !== null) return failure(refusal);
    const edit = { put: name, record: record as WrittenTrigger };
    return success({ edit, value: !stored.exists });
  };
}
