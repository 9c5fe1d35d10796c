import { policyFields, RESERVED_POLICY } from '../trigger-fields.schema.ts';
import type { TriggerPolicy } from '../trigger-record.schema.ts';
import { checkSectionKeys, type UnknownKeys } from './keys.ts';
import { readFields } from './read-fields.ts';
import { fault, given, readChoice, type Scope } from './scope.ts';

/** Checks the policy of a trigger; what is not built is refused, never ignored. */
export function readPolicy(
  scope: Scope,
  session: 'new' | 'resume',
  unknownKeys: UnknownKeys,
): TriggerPolicy {
  checkSectionKeys(scope, 'policy', unknownKeys);
  for (const field of RESERVED_POLICY) {
    if (given(scope, field) !== undefined) {
      fault(scope, field, 'is not supported by this version; leave it out');
    }
  }
  return readFields(scope, 'policy', { overlap: () => readOverlap(scope, session) });
}

function readOverlap(scope: Scope, session: 'new' | 'resume'): TriggerPolicy['overlap'] {
  const value = readChoice(scope, 'overlap', policyFields.overlap.schema.enum);
  if (value !== 'allow' || session !== 'resume') return value;
  const reason = 'cannot go with session: resume, whose turns never run at the same time';
  return fault(scope, 'overlap', `'allow' ${reason}; write 'skip' or 'queue'`);
}
