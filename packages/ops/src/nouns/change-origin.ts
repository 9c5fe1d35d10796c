import type { Change } from '@svc/records';
import type { Caller } from '../caller.ts';

/** Who changes something, and from where. */
export type ChangeOrigin = Pick<Change, 'via' | 'sessionId'> & { readonly by: string };

/** The origin of what a caller changes. */
export function originOf({ actor, capability, turnId, sessionId, face }: Caller): ChangeOrigin {
  if (turnId !== null) {
    return { by: capability?.agentName ?? actor.kind, via: 'agent', sessionId };
  }
  if (actor.kind === 'client') return { by: `client:${actor.id}`, via: 'client', sessionId: null };
  return { by: actor.id ?? actor.kind, via: face ?? 'rest', sessionId: null };
}
