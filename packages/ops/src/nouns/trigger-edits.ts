import { failure, success } from '@svc/core';
import {
  effectiveRecord,
  validateTrigger,
  validateTriggerName,
  type WrittenTrigger,
} from '@svc/trigger-schema';
import { invalidInput } from '../errors.ts';
import type { TriggerEdits } from '../work.ts';
import { etagOf } from './etag.ts';
import type { NounParts } from './parts.ts';
import { warningsOfRecord } from './prompt-warnings.ts';
import { editWhere, refusalOf } from './trigger-file.ts';

type Parts = Pick<NounParts, 'deps' | 'arming' | 'rules'>;

export function createTriggerEdits({ deps, arming, rules }: Parts): TriggerEdits {
  const check = (record: unknown) =>
    validateTrigger(record, { ...rules, unknownKeys: 'refuse-misspelt' });
  return {
    async put(place, name, record, condition = {}) {
      const { slug: project } = place;
      const named = validateTriggerName(name);
      if (!named.ok) return failure(invalidInput(named.issues));
      const valid = check(record);
      if (!valid.ok) return failure(invalidInput(valid.issues));
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
      const warnings = warningsOfRecord(place, valid);
      return success({ record: wire, etag: etagOf(wire), created: put.value, warnings });
    },
    async remove({ slug: project }, name, condition = {}) {
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
    validate(place, record) {
      const valid = check(record);
      return valid.ok
        ? { valid: true, issues: [], warnings: warningsOfRecord(place, valid) }
        : { valid: false, issues: valid.issues, warnings: valid.warnings };
    },
  };
}
