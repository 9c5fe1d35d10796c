import { type Issue, sentencesOf } from '@svc/core';
import {
  boundsOfStored,
  type Caller,
  type Definition,
  definitionOf,
  definitionOfRecord,
  type EngineSettings,
  firedCapability,
  levelsLeft,
  MODE_RANK,
  type OperationError,
  runtimeIdFor,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import type { Capability } from '@svc/records';
import { widerEntries } from '@svc/sandbox';
import type { ProjectSettings, TriggerRecord } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';

/** Validates storing a valid trigger; returns what is wrong. */
export type TriggerCheck = (
  name: string,
  record: TriggerRecord,
  settings: ProjectSettings,
) => readonly Issue[];

/** Prevents a caller from gaining rights through a trigger. */
export interface PrivilegeCheck {
  /** The check for a trigger that a call with these arguments is about to store; null if none is needed. */
  checkOf(
    caller: Caller,
    snapshot: ProjectSnapshot,
    args: Readonly<Record<string, unknown>>,
  ): TriggerCheck | null;
  /** Why a call may not fire a trigger; null if it may, or there is no such trigger. */
  refusalOf(caller: Caller, snapshot: ProjectSnapshot, name: string): OperationError | null;
}

export function createPrivilegeCheck(deps: OpsDeps, settings: EngineSettings): PrivilegeCheck {
  const excessOf = (
    { capability: own }: Pick<Caller, 'capability'>,
    definition: Definition,
    project: ProjectSettings,
  ): Issue[] => {
    const runtime = deps.runtimes.get(runtimeIdFor(definition.run, project, settings));
    if (own?.runsAs !== 'agent' || runtime === undefined) return [];
    return excess(own, definition, firedCapability(definition, project, runtime, settings, null));
  };
  return {
    checkOf(caller, { slug }, args) {
      // A caller with fewer rights than a trigger may still disable it.
      if (justDisables(args)) return null;
      const deepest = deepestOf(caller);
      if (caller.capability?.runsAs !== 'agent' && deepest === null) return null;
      const storing = { capability: capabilityLeft(caller) };
      return (name, record, project) => {
        const key = { project: slug, source: 'trigger', name } as const;
        return [
          ...tooDeep(deepest, args),
          ...excessOf(storing, definitionOfRecord(key, record), project),
        ];
      };
    },
    refusalOf(caller, { slug, file }, name) {
      const key = { project: slug, source: 'trigger', name } as const;
      const definition = file === null ? null : definitionOf(file, key);
      if (file === null || definition === null) return null;
      const issues = excessOf(caller, definition, file.settings);
      if (issues.length === 0) return null;
      return { code: 'invalid', message: `${NOT_BEYOND} ${sentencesOf(issues, 'The trigger')}` };
    },
  };
}

/** Whether the arguments of `set_trigger` only disable the trigger. */
export function justDisables(args: Readonly<Record<string, unknown>>): boolean {
  const given = Object.keys(args).filter((key) => key !== 'name' && key !== 'project');
  return given.length === 1 && args['enabled'] === false;
}

// A trigger fires at depth 0, regardless of the depth of the turn that stores it.
function capabilityLeft(caller: Caller): Capability | null {
  const { capability } = caller;
  return capability === null
    ? null
    : { ...capability, maxSpawnDepth: levelsLeft(caller, capability.maxSpawnDepth) };
}

/** The maximum depth that the clients behind a call allow for a trigger that it stores; null if unlimited. */
function deepestOf(caller: Caller): number | null {
  const depths = boundsOfStored(caller).flatMap(({ maxSpawnDepth }) => maxSpawnDepth ?? []);
  return depths.length === 0 ? null : Math.min(...depths);
}

// Without the argument, the depth of the trigger is limited to that of the client.
function tooDeep(deepest: number | null, { max_spawn_depth: wanted }: Depth): Issue[] {
  if (deepest === null || !(Number(wanted) > deepest)) return [];
  const message = `must be at most ${deepest}, the limit of the client.`;
  return [{ path: 'run.maxSpawnDepth', message }];
}

interface Depth {
  readonly max_spawn_depth?: unknown;
}

const NOT_BEYOND =
  'An agent with listed tools cannot fire a trigger with more rights than its own:';

function excess(own: Capability, definition: Definition, fired: Capability): Issue[] {
  const issues: Issue[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  if (fired.runsAs === 'keeper') {
    add(
      'run.tools',
      'must not be empty on a schedule: an empty list runs the keeper with all of its tools.',
    );
  }
  const tools = definition.run.tools.filter((tool) => !own.tools.includes(tool));
  if (tools.length > 0)
    add('run.tools', `has tools that the calling agent does not have: ${tools.join(', ')}.`);
  if (MODE_RANK[fired.permissionMode] > MODE_RANK[own.permissionMode]) {
    add('run.permissionMode', `exceeds ${own.permissionMode}, the mode of the calling agent.`);
  }
  if (fired.maxTurns > own.maxTurns) {
    add('run.maxTurns', `exceeds ${own.maxTurns}, the limit of the calling agent.`);
  }
  if (fired.maxSpawnDepth > own.maxSpawnDepth) {
    add('run.maxSpawnDepth', `exceeds ${own.maxSpawnDepth}, the limit of the calling agent.`);
  }
  const hosts = fired.network ?? ['*'];
  const more = own.network === undefined ? [] : widerEntries(own.network, hosts);
  if (more.length > 0) {
    add(
      'run.network',
      `must name only hosts that the calling agent can reach: ${own.network?.join(', ') || 'none'}.`,
    );
  }
  return issues;
}
