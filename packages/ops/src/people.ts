import { type Caller, USER } from './caller.ts';
import { TABLE } from './operations/table.ts';

/** A person as a surface knows them. */
export interface KnownPerson {
  /** null where people are not told apart. */
  readonly name: string | null;
  /** `read`: looks at everything and changes nothing; `write`: may do everything. */
  readonly role: 'read' | 'write';
}

const READING: Caller['scope'] = Object.freeze({
  ...USER.scope,
  allow: TABLE.filter(({ policy }) => policy.effect === 'reads').map(({ name }) => name),
});

/** A person at the page, the REST surface or the command line, bounded by their role alone. */
export function personCaller({ name, role }: KnownPerson): Caller {
  const actor = { kind: 'user', id: name } as const;
  return role === 'write' ? { ...USER, actor } : { ...USER, actor, scope: READING, role };
}
