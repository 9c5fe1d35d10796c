import type { Toolset } from '@svc/agent-runtime';
import { MANAGE_PREFIX, type OperationName } from '@svc/records';
import type { OpenTurn } from '@svc/store';
import type { ProjectSettings } from '@svc/trigger-schema';
import type { Caller } from '../caller.ts';
import type { KeeperGates } from '../deps.ts';
import { keeperOperations, keeperWriteProjects } from './keeper-gates.ts';
import type { Tools } from './tool-door.ts';

/** The operations that a turn has as tools, bound to it; null when it has none. */
export function keeperToolset(
  tools: Tools,
  gates: KeeperGates,
  turn: OpenTurn,
  settings: ProjectSettings | null,
): Toolset | null {
  if (settings === null) return null;
  const open = keeperOperations(gates, settings);
  const allow = open.filter((name) => turn.capability.tools.includes(`${MANAGE_PREFIX}${name}`));
  if (allow.length === 0) return null;
  const caller = callerOf(turn, allow, keeperWriteProjects(gates, turn.project));
  return {
    tools: tools.visible(caller).map(({ name, description, input }) => ({
      name: `${MANAGE_PREFIX}${name}`,
      description,
      inputSchema: input,
    })),
    async call(name, args, signal) {
      const plain = name.startsWith(MANAGE_PREFIX) ? name.slice(MANAGE_PREFIX.length) : name;
      const result = await tools.call(caller, plain, args, { signal });
      if (!result.ok) return { text: result.error.message, isError: true };
      return { text: JSON.stringify(result.value), isError: false };
    },
  };
}

function callerOf(
  turn: OpenTurn,
  allow: readonly OperationName[],
  writeProjects: readonly string[] | null,
): Caller {
  return {
    actor: { kind: 'keeper', id: null },
    scope: { projects: ['*'], allow, deny: [], denyProjects: [], maxSpawnDepth: null },
    writeProjects,
    within: turn.capability.bounds ?? [],
    project: turn.project,
    sessionId: turn.sessionId,
    turnId: turn.id,
    capability: turn.capability,
    depth: turn.depth,
    spawnLimit: turn.capability.maxSpawnDepth,
  };
}
