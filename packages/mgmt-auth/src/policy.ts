import { matches } from './pattern.ts';
import { type Scope, type ScopeResult, scopeOf } from './scope.ts';

/** What kind of operation a name is. */
export type OperationClass = 'read' | 'write' | 'trigger';

/** Decides what a scope permits; every question has its answer without state. */
export interface Policy {
  /** True when the operation is in the catalogue, is allowed and is not denied. */
  allows(scope: Scope, operation: string): boolean;
  /** True when the project slug is one of the scope's projects and is not refused. */
  reaches(scope: Scope, slug: string): boolean;
  /** The operations a client may see, in the order of the catalogue. */
  visibleOperations(scope: Scope): string[];
  /** True when a pattern (`*`, a prefix with a trailing `*`, or a literal) covers the name. */
  matches(pattern: string, name: string): boolean;
  /** Reads a scope and fills in its defaults. */
  scopeOf(raw: unknown): ScopeResult;
  /** The OAuth scopes, `svc:read` and `svc:write`, that stand for these operations; for display, never for decisions. */
  oauthScopes(operations: readonly string[]): string[];
  /** The message of a refused call. */
  denialMessage(operation: string): string;
}

/**
 * Makes the policy over a catalogue of operations. Deny beats allow, an operation outside the catalogue is always
 * refused, and `fork_chat_batch` needs `fork_chat` too, because it works through it.
 */
export function createPolicy(catalogue: Readonly<Record<string, OperationClass>>): Policy {
  const classes = new Map(Object.entries(catalogue));
  const holds = (scope: Scope, operation: string): boolean =>
    classes.has(operation) && covers(scope.allow, scope.deny, operation);
  const allows = (scope: Scope, operation: string): boolean =>
    holds(scope, operation) && (operation !== 'fork_chat_batch' || holds(scope, 'fork_chat'));
  const isReading = (operation: string): boolean =>
    classes.get(operation) === 'read' || operation === 'list_triggers';
  return {
    allows,
    reaches: (scope, slug) => covers(scope.projects, scope.denyProjects, slug),
    visibleOperations: (scope) => [...classes.keys()].filter((name) => allows(scope, name)),
    matches,
    scopeOf,
    oauthScopes(operations) {
      const known = operations.filter((name) => classes.has(name));
      const scopes: string[] = [];
      if (known.some(isReading)) scopes.push('svc:read');
      if (known.some((name) => !isReading(name))) scopes.push('svc:write');
      return scopes;
    },
    denialMessage: (operation) =>
      `not permitted: operation ${operation} is outside this client's scope`,
  };
}

function covers(granted: readonly string[], refused: readonly string[], name: string): boolean {
  const covered = (pattern: string): boolean => matches(pattern, name);
  return granted.some(covered) && !refused.some(covered);
}
