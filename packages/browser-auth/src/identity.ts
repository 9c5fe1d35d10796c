import type { Role } from './person.ts';
import type { GateRequest } from './request.ts';

/** How users are identified. `unset` means `none` for local peers only. */
export type AuthMode = 'unset' | 'none' | 'token' | 'trusted-header' | 'jwt';

/** What a request reveals about its user. */
export type Identity =
  /** An identified user; `role` is null if none of the user's roles grants access. */
  | {
      readonly kind: 'known';
      readonly name: string | null;
      readonly role: Role | null;
      /** When the credential expires, in milliseconds since 1970; absent if it does not say. */
      readonly expiresAt?: number;
    }
  /** No credential. */
  | { readonly kind: 'none' }
  /** An invalid credential; `reason` is for the log and contains no secrets. */
  | { readonly kind: 'wrong'; readonly reason: string }
  /** The user cannot be identified at the moment. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Identifies the user of a request. */
export type Identify = (request: GateRequest) => Promise<Identity>;

export const NO_CREDENTIAL: Identity = { kind: 'none' };

export function wrong(reason: string): Identity {
  return { kind: 'wrong', reason };
}
