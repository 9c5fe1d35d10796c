import type { Issue } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Capability } from '@svc/records';
import type { ProjectSettings, TriggerRecord } from '@svc/trigger-schema';
import { type Caller, MODE_RANK } from '../caller.ts';
import { firedCapability } from '../capability.ts';
import { type Definition, definitionOf, definitionOfRecord } from '../definition.ts';
import type { OpsDeps, OpsSettings } from '../deps.ts';
import type { OperationError } from '../errors.ts';

/** Keeps a caller from getting, through a trigger, what it was not given itself. */
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
  const firedBy = (definition: Definition, project: ProjectSettings): Capability | null => {
    const id = definition.run.runtime ?? project.keeper.runtime ?? settings.defaultRuntime;
    const runtime = deps.runtimes.get(id);
    return runtime === undefined
      ? null
      : firedCapability(definition, project, runtime, settings, null);
  };
  const excessOf = (caller: Caller, definition: Definition, project: ProjectSettings): Issue[] => {
    const own = scoped(caller);
    const fired = own === null ? null : firedBy(definition, project);
    return own === null || fired === null ? [] : excess(own, definition, fired);
  };
  return {
    checkOf(caller, { slug }) {
      if (caller.turnId === null && caller.spawnLimit === null) return null;
      return (name, record, project) => {
        const key = { project: slug, source: 'trigger', name } as const;
        const definition = definitionOfRecord(key, record);
        const inherited = project.maxSpawnDepth ?? settings.maxSpawnDepth;
        return [
          ...tooDeep(caller, record.run.maxSpawnDepth ?? inherited, record.enabled),
          ...excessOf(caller, definition, project),
        ];
      };
    },
    refusalOf(caller, { slug, file }, name) {
      const key = { project: slug, source: 'trigger', name } as const;
      const definition = file === null ? null : definitionOf(file, key);
      if (file === null || definition === null) return null;
      const issues = excessOf(caller, definition, file.settings);
      if (issues.length === 0) return null;
      return { code: 'invalid', message: `${NOT_BEYOND} ${sentences(issues)}` };
    },
  };
}

// A trigger starts turns later on, so it is no way around a limit on starting them.
function tooDeep({ turnId, depth, spawnLimit }: Caller, wanted: number, enabled: boolean): Issue[] {
  if (spawnLimit === null) return [];
  const issues: Issue[] = [];
  if (wanted > spawnLimit) {
    const message = `max_spawn_depth must be at most ${spawnLimit}, which is the limit of the caller: give it.`;
    issues.push({ path: 'run.maxSpawnDepth', message });
  }
  if (turnId !== null && enabled && depth >= spawnLimit) {
    const message = `enabled must be false: at depth ${depth} of ${spawnLimit} this turn may not start turns, now or later.`;
    issues.push({ path: 'enabled', message });
  }
  return issues;
}

const NOT_BEYOND = 'A scoped agent may not fire a trigger that may do more than itself:';

function sentences(issues: readonly Issue[]): string {
  return issues.map(({ message }) => message).join(' ');
}

function scoped({ capability }: Caller): Capability | null {
  return capability?.runsAs === 'agent' ? capability : null;
}

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
  if (MODE_RANK[fired.permissionMode] > MODE_RANK[own.permissionMode]) {
    add('run.permissionMode', `Its permission mode goes beyond ${own.permissionMode}.`);
  }
  if (fired.maxTurns > own.maxTurns) {
    add('run.maxTurns', `Its limit of turns goes beyond ${own.maxTurns}.`);
  }
  return issues;
}
