import type { Principal, Scope } from '@svc/mgmt-auth';
import type { Actor, Capability, ClientBound, PermissionMode } from '@svc/records';

/** Who calls an operation, and what it may start. */
export interface Caller {
  readonly actor: Actor;
  /** What the caller may do, and where. */
  readonly scope: Scope;
  /** Projects in which the caller may change things; null: wherever it may read. */
  readonly writeProjects: readonly string[] | null;
  /** Further bounds: those of the clients that brought the calling turn about. */
  readonly within: readonly ClientBound[];
  /** The keeper's own project and chat; null for people and clients. */
  readonly project: string | null;
  readonly sessionId: string | null;
  readonly turnId: string | null;
  /** What the calling turn may do itself; null for people and clients. */
  readonly capability: Capability | null;
  /** Depth of the calling turn; 0 for people and clients. */
  readonly depth: number;
  /**
   * Bound on the depth of turns that come of this call. For a turn: never to be exceeded. For a client: what its
   * configuration sets, null where project and instance decide.
   */
  readonly spawnLimit: number | null;
  /** The role of a person who may only read. Default: the scope alone decides. */
  readonly role?: 'read';
  /** What a person asks through, as far as that says so; a label and nothing more. Default: the bare REST interface. */
  readonly face?: 'page' | 'cli';
}

const EVERYTHING: Scope = Object.freeze({
  projects: ['*'],
  allow: ['*'],
  deny: [],
  denyProjects: [],
  maxSpawnDepth: null,
});

/** Anybody at the page, the REST surface or the command line, where people are not told apart. */
export const USER: Caller = Object.freeze<Caller>({
  actor: { kind: 'user', id: null },
  scope: EVERYTHING,
  writeProjects: null,
  within: [],
  project: null,
  sessionId: null,
  turnId: null,
  capability: null,
  depth: 0,
  spawnLimit: null,
});

/** An external client, bounded by the scope of its credential alone. */
export function clientCaller({ clientId, scope }: Principal): Caller {
  return {
    ...USER,
    actor: { kind: 'client', id: clientId },
    scope,
    spawnLimit: scope.maxSpawnDepth,
  };
}

/** Depth of a turn that a call starts: one below the calling turn, else that of the chat it goes into. */
export function startedDepth(caller: Caller, chatDepth: number): number {
  return caller.turnId === null ? chatDepth : caller.depth + 1;
}

/** The spawn limit of a turn that a call starts, where `set` is what a trigger or a chat says itself. */
export function startedLimit(caller: Caller, set: number | null, inherited: number): number {
  const { spawnLimit } = caller;
  if (caller.turnId !== null) return Math.min(set ?? inherited, spawnLimit ?? inherited);
  const given = [set, spawnLimit].filter((limit) => limit !== null);
  return given.length === 0 ? inherited : Math.min(...given);
}

/**
 * A capability for a turn that a call starts: it keeps the bounds of the clients behind the call, and where a scoped
 * agent calls, it may do nothing that the agent may not.
 */
export function bounded(caller: Caller, capability: Capability): Capability {
  const own = caller.capability;
  const narrowed = own?.runsAs === 'agent' ? narrowedTo(own, capability) : capability;
  return withBounds(narrowed, boundsOf(caller));
}

/** A capability with further bounds, which its spawn depth keeps too. */
export function withBounds(capability: Capability, further: readonly ClientBound[]): Capability {
  const all = [...(capability.bounds ?? []), ...further];
  if (all.length === 0) return capability;
  const distinct = [...new Map(all.map((bound) => [JSON.stringify(bound), bound])).values()];
  const depths = distinct.flatMap(({ maxSpawnDepth }) => maxSpawnDepth ?? []);
  const maxSpawnDepth = Math.min(capability.maxSpawnDepth, ...depths);
  return { ...capability, maxSpawnDepth, bounds: distinct };
}

/** The same for what a person or a client asks for in a chat: that counts to no budget of the trigger that began it. */
export function withoutBudgets({ bounds, ...capability }: Capability): Capability {
  const left = bounds?.filter(({ budget }) => budget === undefined) ?? [];
  return left.length === 0 ? capability : { ...capability, bounds: left };
}

/** What bounds the turns that come of a call, now or later: the caller's own scope, and those behind its turn. */
function boundsOf({ actor, scope, within }: Caller): ClientBound[] {
  if (actor.kind !== 'client') return [...within];
  const { projects, denyProjects, maxSpawnDepth } = scope;
  const isBounded = !projects.includes('*') || denyProjects.length > 0 || maxSpawnDepth !== null;
  return [...within, ...(isBounded ? [{ projects, denyProjects, maxSpawnDepth }] : [])];
}

/**
 * What bounds the runs of a trigger that a call stores. They begin at depth 0 again, so that each may go only as much
 * deeper as the call still may.
 */
export function boundsOfStored(caller: Caller): ClientBound[] {
  return boundsOf(caller).map((bound) => ({
    ...bound,
    maxSpawnDepth: bound.maxSpawnDepth === null ? null : levelsLeft(caller, bound.maxSpawnDepth),
  }));
}

/** How many levels of turns may still come below a call under a spawn limit. */
export function levelsLeft({ depth }: Caller, limit: number): number {
  return Math.max(0, limit - depth);
}

/** Permission modes, from the one that allows least. */
export const MODE_RANK: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  default: 1,
  acceptEdits: 2,
  bypassPermissions: 3,
};

function narrowedTo(own: Capability, wanted: Capability): Capability {
  const stricter = MODE_RANK[own.permissionMode] < MODE_RANK[wanted.permissionMode];
  return {
    ...wanted,
    runsAs: 'agent',
    agentName: wanted.agentName ?? own.agentName,
    tools: wanted.tools.filter((tool) => own.tools.includes(tool)),
    permissionMode: stricter ? own.permissionMode : wanted.permissionMode,
    maxTurns: Math.min(own.maxTurns, wanted.maxTurns),
  };
}
