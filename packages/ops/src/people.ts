import { type Caller, USER } from '@svc/engine';
import { TABLE } from './operations/table.ts';

/** A person as identified by a surface. */
export interface KnownPerson {
  /** null if the sign-in mode does not identify people. */
  readonly name: string | null;
  /** `read`: may read everything; `write`: may do everything. */
  readonly role: 'read' | 'write';
}

const READING: Caller['scope'] = Object.freeze({
  ...USER.scope,
  allow: TABLE.filter(({ policy }) => policy.effect === 'reads').map(({ name }) => name),
});

/** A person on the page, over REST or the command line, limited only by their role. */
export function personCaller({ name, role }: KnownPerson): Caller {
  const actor = { kind: 'user', id: name } as const;
  return role === 'write' ? { ...USER, actor } : { ...USER, actor, scope: READING, role };
}
