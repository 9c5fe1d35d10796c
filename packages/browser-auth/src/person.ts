/** What a user may do: read, or read and write. */
export type Role = 'read' | 'write';

/** The user of a request. */
export interface Person {
  /** As reported by the proxy or token; null if users are not distinguished. */
  readonly name: string | null;
  readonly role: Role;
  /** When the credential expires, in milliseconds since 1970; absent if it does not say. */
  readonly expiresAt?: number;
}

/** A user in a mode without names, who may do everything. */
export const UNNAMED_PERSON: Person = Object.freeze({ name: null, role: 'write' });

/** Roles that may read, and roles that may also write. */
export interface Roles {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** What a user with these roles may do; null for nothing. Without `roles`, every signed-in user may do everything. */
export function roleOf(roles: Roles | null, held: readonly string[]): Role | null {
  const has = (wanted: readonly string[]): boolean => wanted.some((one) => held.includes(one));
  if (roles === null || has(roles.write)) return 'write';
  return has(roles.read) ? 'read' : null;
}

const LONGEST_NAME = 256;

// Control characters and line separators, what reverses the direction of text, and halves of surrogate pairs.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/**
 * A name that is safe to display and store: 1 to 256 characters after trimming. Null if it is empty, too long, or
 * contains control characters, line separators or bidirectional controls.
 */
export function readName(text: unknown): string | null {
  if (typeof text !== 'string' || UNFIT.test(text)) return null;
  const name = text.trim();
  return name === '' || name.length > LONGEST_NAME ? null : name;
}
