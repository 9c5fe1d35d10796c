import type { Change } from '@svc/records';
import type { Caller } from '../caller.ts';

/** Author and origin of a change. */
export type ChangeOrigin = Pick<Change, 'via' | 'sessionId'> & { readonly by: string };

/** The origin of the changes of a caller. */
export function originOf({ actor, capability, turnId, sessionId, face }: Caller): ChangeOrigin {
  if (turnId !== null) {
    return { by: capability?.agentName ?? actor.kind, via: 'agent', sessionId };
  }
  if (actor.kind === 'client') return { by: `client:${actor.id}`, via: 'client', sessionId: null };
  return { by: actor.id ?? actor.kind, via: face ?? 'rest', sessionId: null };
}
