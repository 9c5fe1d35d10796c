import type { Principal, Scope } from '@svc/mgmt-auth';
import type { Actor, Capability, Change, ClientBound, PermissionMode } from '@svc/records';
import { intersectHosts } from '@svc/sandbox';

/** The caller of an operation, and what it may start. */
export interface Caller {
  readonly actor: Actor;
  /** Allowed operations and projects. */
  readonly scope: Scope;
  /** Projects in which the caller may make changes; null: wherever it may read. */
  readonly writeProjects: readonly string[] | null;
  /** Further bounds: those of the clients behind the calling turn. */
  readonly within: readonly ClientBound[];
  /** The project and chat of a keeper; null for people and clients. */
  readonly project: string | null;
  readonly sessionId: string | null;
  readonly turnId: string | null;
  /** Capability of the calling turn; null for people and clients. */
  readonly capability: Capability | null;
  /** Depth of the calling turn; 0 for people and clients. */
  readonly depth: number;
  /**
   * Maximum depth of turns that result from this call. For a turn it is absolute. For a client it is the configured
   * value; null: project and instance decide.
   */
  readonly spawnLimit: number | null;
  /** Role of a person who may only read. Default: only the scope applies. */
  readonly role?: 'read';
  /** The client software of a person, as reported by the request; only a label. Default: plain REST. */
  readonly face?: 'page' | 'cli';
}

const EVERYTHING: Scope = Object.freeze({
  projects: ['*'],
  allow: ['*'],
  deny: [],
  denyProjects: [],
  maxSpawnDepth: null,
});

/** A person on the page, over REST or the command line, in sign-in modes that do not identify people. */
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

/** An external client, limited by the scope of its credential. */
export function clientCaller({ clientId, scope }: Principal): Caller {
  return {
    ...USER,
    actor: { kind: 'client', id: clientId },
    scope,
    spawnLimit: scope.maxSpawnDepth,
  };
}

/** Author and origin of a change. */
export type ChangeOrigin = Pick<Change, 'via' | 'sessionId'> & { readonly by: string };

/** The origin of the changes of a caller. */
export function originOf({ actor, capability, turnId, sessionId, face }: Caller): ChangeOrigin {
  if (turnId !== null) {
    return { by: capability?.agentName ?? actor.kind, via: 'agent', sessionId };
  }
  if (actor.kind === 'client') return { by: `client:${actor.id}`, via: 'client', sessionId: null };
  return { by: actor.id ?? actor.kind, via: face ?? 'rest', sessionId: null };
}

/** Depth of a turn that a call starts: one below the calling turn, or else that of its chat. */
export function startedDepth(caller: Caller, chatDepth: number): number {
  return caller.turnId === null ? chatDepth : caller.depth + 1;
}

/** The spawn limit of a turn that a call starts; `set` is the value of the trigger or chat. */
export function startedLimit(caller: Caller, set: number | null, inherited: number): number {
  const { spawnLimit } = caller;
  if (caller.turnId !== null) return Math.min(set ?? inherited, spawnLimit ?? inherited);
  const given = [set, spawnLimit].filter((limit) => limit !== null);
  return given.length === 0 ? inherited : Math.min(...given);
}

/**
 * The capability of a turn that a call starts: it keeps the bounds of the clients behind the call, and an agent with listed tools
 * cannot grant more than it has.
 */
export function bounded(caller: Caller, capability: Capability): Capability {
  const own = caller.capability;
  const narrowed = own?.runsAs === 'agent' ? narrowedTo(own, capability) : capability;
  return withBounds(narrowed, boundsOf(caller));
}

/** A capability with further bounds, which also limit its spawn depth. */
export function withBounds(capability: Capability, further: readonly ClientBound[]): Capability {
  const all = [...(capability.bounds ?? []), ...further];
  if (all.length === 0) return capability;
  const distinct = [...new Map(all.map((bound) => [JSON.stringify(bound), bound])).values()];
  const depths = distinct.flatMap(({ maxSpawnDepth }) => maxSpawnDepth ?? []);
  const maxSpawnDepth = Math.min(capability.maxSpawnDepth, ...depths);
  return { ...capability, maxSpawnDepth, bounds: distinct };
}

/**
 * The same for a message of a person or client in a chat, which does not count toward the budget of the trigger that
 * started the chat.
 */
export function withoutBudgets({ bounds, ...capability }: Capability): Capability {
  const left = bounds?.filter(({ budget }) => budget === undefined) ?? [];
  return left.length === 0 ? capability : { ...capability, bounds: left };
}

/** The bounds for turns that result from a call, now or later: the scope of the caller, and the bounds behind its turn. */
function boundsOf({ actor, scope, within }: Caller): ClientBound[] {
  if (actor.kind !== 'client') return [...within];
  const { projects, denyProjects, maxSpawnDepth } = scope;
  const isBounded = !projects.includes('*') || denyProjects.length > 0 || maxSpawnDepth !== null;
  return [...within, ...(isBounded ? [{ projects, denyProjects, maxSpawnDepth }] : [])];
}

/**
 * The bounds for runs of a trigger that a call stores. Runs start at depth 0, so the remaining depth of the call
 * becomes their limit.
 */
export function boundsOfStored(caller: Caller): ClientBound[] {
  return boundsOf(caller).map((bound) => ({
    ...bound,
    maxSpawnDepth: bound.maxSpawnDepth === null ? null : levelsLeft(caller, bound.maxSpawnDepth),
  }));
}

/** How many further levels of turns a call may start under a spawn limit. */
export function levelsLeft({ depth }: Caller, limit: number): number {
  return Math.max(0, limit - depth);
}

/** Permission modes, most restrictive first. */
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
    ...networkOf([own.network, wanted.network]),
  };
}

/** What lists of hosts allow together; empty if there is no list. */
export function networkOf(
  lists: readonly (readonly string[] | null | undefined)[],
): Pick<Capability, 'network'> {
  const [first, ...others] = lists.filter((list) => list != null);
  return first === undefined ? {} : { network: others.reduce(intersectHosts, [...first]) };
}
