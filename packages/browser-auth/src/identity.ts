import type { Role } from './person.ts';
import type { GateRequest } from './request.ts';

/** Ways of finding out who is asking. `unset` is `none` for this machine alone. */
export type AuthMode = 'unset' | 'none' | 'token' | 'trusted-header' | 'jwt';

/** What a request shows of who is asking. */
export type Identity =
  /** Somebody; `role` is null for a person without any role that counts. */
  | { readonly kind: 'known'; readonly name: string | null; readonly role: Role | null }
  /** Nothing that would tell. */
  | { readonly kind: 'none' }
  /** Something that does not hold; `reason` is for the log and holds nothing secret. */
  | { readonly kind: 'wrong'; readonly reason: string }
  /** Nobody can tell now. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Finds out who is asking. */
export type Identify = (request: GateRequest) => Promise<Identity>;

export const NOBODY: Identity = { kind: 'none' };

export function wrong(reason: string): Identity {
  return { kind: 'wrong', reason };
}
