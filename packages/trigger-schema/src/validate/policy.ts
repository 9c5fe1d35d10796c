import { defined, shown } from '../plain.ts';
import type { TriggerPolicy } from '../trigger-record.schema.ts';
import { readDuration } from './duration.ts';
import { checkSectionKeys, type UnknownKeys } from './keys.ts';
import { fault, given, readChoice, type Scope } from './scope.ts';

const MAX_WINDOW = { ms: 366 * 86_400_000, text: '366d' } as const;
const NOT_YET = ['jitter', 'pauseAfterFailures', 'firesPerDay'] as const;

/** Checks the policy of a trigger; what is not built is refused, never ignored. */
export function readPolicy(
  scope: Scope,
  session: 'new' | 'resume',
  unknownKeys: UnknownKeys,
): TriggerPolicy {
  checkSectionKeys(scope, 'policy', unknownKeys);
  for (const field of NOT_YET) {
    if (given(scope, field) !== undefined) {
      fault(scope, field, 'is not supported by this version; leave it out');
    }
  }
  return defined({
    overlap: readOverlap(scope, session),
    catchUp: readChoice(scope, 'catchUp', ['none', 'latest']),
    catchUpWindow: readDuration(scope, 'catchUpWindow', MAX_WINDOW),
  }) as TriggerPolicy;
}

function readOverlap(scope: Scope, session: 'new' | 'resume'): 'skip' | undefined {
  const value = given(scope, 'overlap');
  if (value === undefined || value === 'skip') return value;
  if (value === 'allow' && session === 'resume') {
    const reason = 'cannot go with session: resume, whose turns never run at the same time';
    return fault(scope, 'overlap', `'allow' ${reason}; write 'skip'`);
  }
  if (value === 'queue' || value === 'allow') {
    return fault(scope, 'overlap', `'${value}' is not supported by this version; write 'skip'`);
  }
  return fault(scope, 'overlap', `must be 'skip', not ${shown(value)}`);
}
