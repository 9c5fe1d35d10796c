import type { Issue } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Capability, PermissionMode } from '@svc/records';
import type { ProjectSettings, TriggerRecord } from '@svc/trigger-schema';
import type { Caller } from '../caller.ts';
import { firedCapability } from '../capability.ts';
import { type Definition, definitionOf, definitionOfRecord } from '../definition.ts';
import type { OpsDeps, OpsSettings } from '../deps.ts';
import type { OperationError } from '../errors.ts';

/** Keeps a scoped agent from getting, through a trigger, what it was not given itself. */
export interface Fence {
  /** Checks a trigger that a call is about to store; null where the caller may store any. */
  checkOf(
    caller: Caller,
    snapshot: ProjectSnapshot,
  ): ((name: string, record: TriggerRecord, settings: ProjectSettings) => readonly Issue[]) | null;
  /** Why a call may not fire a trigger; null when it may, or there is none. */
  refusalOf(caller: Caller, snapshot: ProjectSnapshot, name: string): OperationError | null;
}

export function createFence(deps: OpsDeps, settings: OpsSettings): Fence {
  const excessOf = (own: Capability, definition: Definition, project: ProjectSettings): Issue[] => {
    const id = definition.run.runtime ?? project.keeper.runtime ?? settings.defaultRuntime;
    const runtime = deps.runtimes.get(id);
    if (runtime === undefined) return [];
    return excess(own, definition, firedCapability(definition, project, runtime, settings, null));
  };
  return {
    checkOf(caller, { slug }) {
      const own = scoped(caller);
      if (own === null) return null;
      return (name, record, project) => {
        const key = { project: slug, source: 'trigger', name } as const;
        return excessOf(own, definitionOfRecord(key, record), project);
      };
    },
    refusalOf(caller, { slug, file }, name) {
      const own = scoped(caller);
      const key = { project: slug, source: 'trigger', name } as const;
      const definition = own === null || file === null ? null : definitionOf(file, key);
      if (own === null || file === null || definition === null) return null;
      const issues = excessOf(own, definition, file.settings);
      if (issues.length === 0) return null;
      return { code: 'invalid', message: `${NOT_BEYOND} ${sentences(issues)}` };
    },
  };
}

const NOT_BEYOND = 'A scoped agent may not fire a trigger that may do more than itself:';

function sentences(issues: readonly Issue[]): string {
  return issues.map(({ message }) => message).join(' ');
}

// The bound of the turn is what it was given, and never more than whoever started it had left.
function scoped({ capability, spawnLimit }: Caller): Capability | null {
  if (capability?.runsAs !== 'agent') return null;
  const { maxSpawnDepth } = capability;
  return { ...capability, maxSpawnDepth: Math.min(maxSpawnDepth, spawnLimit ?? maxSpawnDepth) };
}

const RANK: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  default: 1,
  acceptEdits: 2,
  bypassPermissions: 3,
};

function excess(own: Capability, definition: Definition, fired: Capability): Issue[] {
  const issues: Issue[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  if (fired.runsAs === 'keeper') {
    add(
      'run.tools',
      'An empty list of tools on a schedule would be the keeper with all its tools.',
    );
  }
  const more = definition.run.tools.filter((tool) => !own.tools.includes(tool));
  if (more.length > 0) add('run.tools', `Its tools go beyond its maker's: ${more.join(', ')}.`);
  if (RANK[fired.permissionMode] > RANK[own.permissionMode]) {
    add('run.permissionMode', `Its permission mode goes beyond ${own.permissionMode}.`);
  }
  if (fired.maxTurns > own.maxTurns) {
    add('run.maxTurns', `Its limit of turns goes beyond ${own.maxTurns}.`);
  }
  if (fired.maxSpawnDepth > own.maxSpawnDepth) {
    add('run.maxSpawnDepth', `Its spawn depth goes beyond ${own.maxSpawnDepth}.`);
  }
  return issues;
}
