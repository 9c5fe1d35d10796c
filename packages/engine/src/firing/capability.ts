import type { Runtime } from '@svc/agent-runtime';
import {
  agentNameOf,
  type Capability,
  GRANTABLE_TOOLS,
  MANAGE_PREFIX,
  type PermissionMode,
} from '@svc/records';
import { type ProjectSettings, TRIGGER_DEFAULTS } from '@svc/trigger-schema';
import { type Caller, networkOf, startedLimit } from '../caller.ts';
import type { Definition } from '../definition.ts';
import type { EngineSettings } from '../deps.ts';

type Bounds = Pick<EngineSettings, 'maxSpawnDepth' | 'keeperTools'>;

/** The keeper's capability, for a chat that was not started by a trigger. */
export function keeperCapability(
  settings: ProjectSettings,
  runtime: Runtime,
  bounds: Bounds,
  caller: Caller,
): Capability {
  return {
    runsAs: 'keeper',
    agentName: null,
    tools: held(offeredBy(runtime, settings, bounds)),
    permissionMode: keeperMode(settings),
    maxTurns: TRIGGER_DEFAULTS.run.maxTurns,
    maxSpawnDepth: startedLimit(caller, null, settings.maxSpawnDepth ?? bounds.maxSpawnDepth),
    ...networkOf([settings.network]),
  };
}

/**
 * The capability of a fired agent. A schedule with an empty list runs as the keeper; a list is exactly the tools of the
 * agent; an event without a list grants no tools. Tools that the runtime does not offer are omitted.
 */
export function firedCapability(
  definition: Definition,
  settings: ProjectSettings,
  runtime: Runtime,
  bounds: Bounds,
  caller: Caller | null,
): Capability {
  const { key, run } = definition;
  const asKeeper = definition.type === 'schedule' && run.tools.length === 0;
  const offered = offeredBy(runtime, settings, bounds);
  const inherited = settings.maxSpawnDepth ?? bounds.maxSpawnDepth;
  const limit = run.maxSpawnDepth;
  const listed = run.tools.filter((tool) => offered.includes(tool));
  return {
    runsAs: asKeeper ? 'keeper' : 'agent',
    agentName: agentNameOf(key.project, key.name),
    tools: held(asKeeper ? offered : listed),
    permissionMode: run.permissionMode ?? (asKeeper ? keeperMode(settings) : 'default'),
    maxTurns: run.maxTurns,
    maxSpawnDepth: caller === null ? (limit ?? inherited) : startedLimit(caller, limit, inherited),
    ...networkOf([settings.network, run.network]),
  };
}

function keeperMode(settings: ProjectSettings): PermissionMode {
  return settings.keeper.permissionMode ?? 'default';
}

function held(tools: readonly string[]): string[] {
  const wanted = new Set(tools);
  return GRANTABLE_TOOLS.filter((tool) => wanted.has(tool));
}

function offeredBy(runtime: Runtime, settings: ProjectSettings, bounds: Bounds): readonly string[] {
  const open = new Set<string>(bounds.keeperTools(settings));
  return runtime.holds.tools.filter(
    (tool) => !tool.startsWith(MANAGE_PREFIX) || open.has(tool.slice(MANAGE_PREFIX.length)),
  );
}
