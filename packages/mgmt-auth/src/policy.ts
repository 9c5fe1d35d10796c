import { matches } from './pattern.ts';
import { type Scope, type ScopeResult, scopeOf } from './scope.ts';

/** The properties of an operation that decisions use. */
export interface OperationFacts {
  /** Its effect; `reads` corresponds to `svc:read`, everything else to `svc:write`. */
  readonly effect: string;
  /** Whether it can make the service run code of the caller. */
  readonly runsCode: boolean;
  /** Operations that a caller needs as well, because it works through them. */
  readonly needs: readonly string[];
}

/** All operations by name. */
export type OperationCatalogue = Readonly<Record<string, OperationFacts>>;

/** Checks what a scope permits, without state. */
export interface Policy {
  /** True if the operation is in the catalog, is allowed and is not denied. */
  allows(scope: Scope, operation: string): boolean;
  /** True if the project slug is one of the scope's projects and is not denied. */
  reaches(scope: Scope, slug: string): boolean;
  /** The operations that a client may see, in the order of the catalog. */
  visibleOperations(scope: Scope): string[];
  /** Those of them that can make the service run code. */
  codeOperations(scope: Scope): string[];
  /** True when a pattern (`*`, a prefix with a trailing `*`, or a literal) covers the name. */
  matches(pattern: string, name: string): boolean;
  /** Parses a scope and fills in its defaults. */
  scopeOf(raw: unknown): ScopeResult;
  /** The OAuth scopes, `svc:read` and `svc:write`, of these operations; for display, never for decisions. */
  oauthScopes(operations: readonly string[]): string[];
  /** The message of a refused call. */
  denialMessage(operation: string): string;
}

/**
 * Creates the policy for a catalog of operations. Deny overrides allow. An operation outside the catalog is always
 * refused, and so is one that needs another that the scope does not allow.
 */
export function createPolicy(catalogue: OperationCatalogue): Policy {
  const facts = new Map(Object.entries(catalogue));
  const holds = (scope: Scope, operation: string): boolean =>
    facts.has(operation) && covers(scope.allow, scope.deny, operation);
  const allows = (scope: Scope, operation: string): boolean =>
    holds(scope, operation) &&
    (facts.get(operation)?.needs ?? []).every((needed) => holds(scope, needed));
  const visibleOperations = (scope: Scope): string[] =>
    [...facts.keys()].filter((name) => allows(scope, name));
  return {
    allows,
    reaches: (scope, slug) => covers(scope.projects, scope.denyProjects, slug),
    visibleOperations,
    codeOperations: (scope) => visibleOperations(scope).filter((name) => facts.get(name)?.runsCode),
    matches,
    scopeOf,
    oauthScopes(operations) {
      const effects = operations.flatMap((name) => facts.get(name)?.effect ?? []);
      const scopes: string[] = [];
      if (effects.includes('reads')) scopes.push('svc:read');
      if (effects.some((effect) => effect !== 'reads')) scopes.push('svc:write');
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
