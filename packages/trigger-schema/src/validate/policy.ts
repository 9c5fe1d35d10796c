import { policyFields } from '../trigger-fields.schema.ts';
import type { TriggerPolicy } from '../trigger-record.schema.ts';
import { checkSectionKeys, type UnknownKeys } from './keys.ts';
import { readFields } from './read-fields.ts';
import { fault, readChoice, type Scope } from './scope.ts';

/** Checks the policy of a trigger. */
export function readPolicy(
  scope: Scope,
  session: 'new' | 'resume',
  unknownKeys: UnknownKeys,
): TriggerPolicy {
  checkSectionKeys(scope, 'policy', unknownKeys);
  return readFields(scope, 'policy', { overlap: () => readOverlap(scope, session) });
}

function readOverlap(scope: Scope, session: 'new' | 'resume'): TriggerPolicy['overlap'] {
  const value = readChoice(scope, 'overlap', policyFields.overlap.schema.enum);
  if (value !== 'allow' || session !== 'resume') return value;
  const reason = 'cannot be combined with session: resume, whose turns never overlap';
  return fault(scope, 'overlap', `'allow' ${reason}; use 'skip' or 'queue'`);
}
