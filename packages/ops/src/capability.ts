import type { Runtime } from '@svc/agent-runtime';
import { type Capability, GRANTABLE_TOOLS, MANAGE_PREFIX, type PermissionMode } from '@svc/records';
import type { ProjectSettings } from '@svc/trigger-schema';
import type { Definition } from './definition.ts';

/** What bounds every turn of an instance. */
export interface InstanceBounds {
  /** Highest depth of turns that start turns, 0 to 8, where project and trigger do not say. */
  readonly maxSpawnDepth: number;
}

const KEEPER_MAX_TURNS = 30;

/** The keeper's own capability, for a chat that no trigger started. */
export function keeperCapability(
  settings: ProjectSettings,
  runtime: Runtime,
  bounds: InstanceBounds,
): Capability {
  return {
    runsAs: 'keeper',
    agentName: null,
    tools: held(offeredBy(runtime)),
    permissionMode: keeperMode(settings),
    maxTurns: KEEPER_MAX_TURNS,
    maxSpawnDepth: settings.maxSpawnDepth ?? bounds.maxSpawnDepth,
  };
}

/**
 * The capability of a fired agent. A schedule with an empty list runs as the keeper; a list is exactly the agent's
 * tools; an event without a list has none. What the runtime does not offer is absent.
 */
export function firedCapability(
  definition: Definition,
  settings: ProjectSettings,
  runtime: Runtime,
  bounds: InstanceBounds,
): Capability {
  const { key, run } = definition;
  const asKeeper = definition.type === 'schedule' && run.tools.length === 0;
  const offered = offeredBy(runtime);
  const listed = run.tools.filter((tool) => offered.includes(tool));
  return {
    runsAs: asKeeper ? 'keeper' : 'agent',
    agentName: agentNameOf(key.project, key.name),
    tools: held(asKeeper ? offered : listed),
    permissionMode: run.permissionMode ?? (asKeeper ? keeperMode(settings) : 'default'),
    maxTurns: run.maxTurns,
    maxSpawnDepth: run.maxSpawnDepth ?? settings.maxSpawnDepth ?? bounds.maxSpawnDepth,
  };
}

/** The label of a fired agent. */
function agentNameOf(project: string, name: string): string {
  return `trigger-${project}-${name}`;
}

function keeperMode(settings: ProjectSettings): PermissionMode {
  return settings.keeper.permissionMode ?? 'default';
}

function held(tools: readonly string[]): string[] {
  const wanted = new Set(tools);
  return GRANTABLE_TOOLS.filter((tool) => wanted.has(tool));
}

// Operations reach an agent through a toolset only, and turns are given none.
function offeredBy(runtime: Runtime): string[] {
  return runtime.holds.tools.filter((tool) => !tool.startsWith(MANAGE_PREFIX));
}
