/** What somebody may do: look, or look and change. */
export type Role = 'read' | 'write';

/** Who is asking. */
export interface Person {
  /** As the proxy or the token says; null where a service does not tell people apart. */
  readonly name: string | null;
  readonly role: Role;
}

/** Somebody whom no name is asked of: they may do everything. */
export const ANYBODY: Person = Object.freeze({ name: null, role: 'write' });

/** Roles of people who may look, and of people who may change things as well. */
export interface Roles {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** What somebody with these roles may do; null: nothing. Without `roles` whoever is signed in may do everything. */
export function roleOf(roles: Roles | null, held: readonly string[]): Role | null {
  const has = (wanted: readonly string[]): boolean => wanted.some((one) => held.includes(one));
  if (roles === null || has(roles.write)) return 'write';
  return has(roles.read) ? 'read' : null;
}

const LONGEST_NAME = 256;

// Control characters and line separators, what reverses the direction of text, and halves of surrogate pairs.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/**
 * A name as it can be shown and written down: 1 to 256 characters without those around it that are blank. Null when it is
 * empty, too long, or holds control characters, line separators or bidirectional controls anywhere.
 */
export function readName(text: unknown): string | null {
  if (typeof text !== 'string' || UNFIT.test(text)) return null;
  const name = text.trim();
  return name === '' || name.length > LONGEST_NAME ? null : name;
}
