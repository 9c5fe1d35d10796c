import type { Caller } from '@svc/engine';
import { createPolicy, type Policy } from '@svc/mgmt-auth';
import type { ClientBound } from '@svc/records';
import {
  type Cloning,
  catalogueOf,
  type Operation,
  type OperationEffect,
  policyOf,
} from './operation.ts';

/** Decides whether a caller may use operations and projects. */
export interface Access {
  /** Whether the operation exists for the caller. */
  allows(caller: Caller, operation: Operation): boolean;
  /** Whether the operation may affect the project with this slug, which need not exist. */
  reaches(caller: Caller, effect: OperationEffect, slug: string): boolean;
  /** Whether the operation may affect every present and future project. */
  reachesEvery(caller: Caller, effect: OperationEffect): boolean;
  /** How the caller may create a project from a repository. */
  cloning(caller: Caller): Cloning;
  /** The sentence of every denial. */
  denial(caller: Pick<Caller, 'role'>, operation: string): string;
}

function projectsOf({ projects, denyProjects }: ClientBound) {
  return { projects, denyProjects };
}

// A person has no client credential whose scope could be changed.
function readOnly(operation: string): string {
  return `not permitted: your role is read-only, and operation ${operation} changes or starts something. Ask for a role listed in auth.roles.write`;
}

export function createAccess(rows: readonly Operation[]): Access {
  const policy: Policy = createPolicy(catalogueOf(rows));
  const reachesEvery: Access['reachesEvery'] = ({ scope, writeProjects, within }, effect) => {
    if (effect !== 'reads' && writeProjects !== null) return false;
    // A bound with only a daily budget does not limit projects.
    return [scope, ...within].every(({ projects, denyProjects }) => {
      return projects.includes('*') && denyProjects.length === 0;
    });
  };
  return {
    allows(caller, operation) {
      const own = policyOf(operation);
      if (own === null || !policy.allows(caller.scope, operation.name)) return false;
      // Operations that are not tools are for people only, even if a pattern in a scope matches them.
      if (own.gate === null && caller.actor.kind !== 'user') return false;
      const deepest = caller.turnId !== null && caller.depth >= (caller.spawnLimit ?? 0);
      return !(own.effect === 'starts_turn' && deepest);
    },
    reaches(caller, effect, slug) {
      const { scope, within } = caller;
      if (!policy.reaches(scope, slug)) return false;
      if (!within.every((bound) => policy.reaches({ ...scope, ...projectsOf(bound) }, slug)))
        return false;
      return effect === 'reads' || (caller.writeProjects?.includes(slug) ?? true);
    },
    reachesEvery,
    cloning(caller) {
      const { actor, turnId, scope, spawnLimit } = caller;
      if (turnId !== null) return 'refused';
      if (actor.kind === 'user') return 'as_it_is';
      const mayDefine = actor.kind === 'client' && policy.allows(scope, 'set_trigger');
      const isBounded = spawnLimit !== null || !reachesEvery(caller, 'mutates');
      return mayDefine && !isBounded ? 'disabled' : 'refused';
    },
    denial: ({ role }, operation) =>
      role === 'read' ? readOnly(operation) : policy.denialMessage(operation),
  };
}
