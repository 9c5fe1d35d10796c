import type { Toolset } from '@svc/agent-runtime';
import { storableValue } from '@svc/core';
import type { Caller } from '@svc/engine';
import { MANAGE_PREFIX, type OperationName } from '@svc/records';
import type { OpenTurn } from '@svc/store';
import type { ProjectSettings } from '@svc/trigger-schema';
import type { Tools } from './tool-door.ts';

/** Rights of keepers, independent of the capability of their turn. */
interface KeeperRights {
  /** The operations that agents of a project may have. */
  operations(project: ProjectSettings): readonly OperationName[];
  /** Projects in which they may make changes; null: all. */
  writeProjects(project: string): readonly string[] | null;
}

/** Creates the function that gives a turn its operations as tools; null if it has none. */
export function createKeeperToolset(
  tools: Tools,
  rights: KeeperRights,
): (turn: OpenTurn, settings: ProjectSettings | null) => Toolset | null {
  return (turn, settings) => (settings === null ? null : toolsetOf(tools, rights, turn, settings));
}

function toolsetOf(
  tools: Tools,
  rights: KeeperRights,
  turn: OpenTurn,
  settings: ProjectSettings,
): Toolset | null {
  const open = rights.operations(settings);
  const allow = open.filter((name) => turn.capability.tools.includes(`${MANAGE_PREFIX}${name}`));
  if (allow.length === 0) return null;
  const caller = callerOf(turn, allow, rights.writeProjects(turn.project));
  return {
    tools: tools.visible(caller).map(({ name, description, input }) => ({
      name: `${MANAGE_PREFIX}${name}`,
      description,
      inputSchema: input,
    })),
    async call(name, args, signal) {
      const plain = name.startsWith(MANAGE_PREFIX) ? name.slice(MANAGE_PREFIX.length) : name;
      const result = await tools.call(caller, plain, storableValue(args), { signal });
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
