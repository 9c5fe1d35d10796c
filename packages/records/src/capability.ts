import type { PermissionMode } from './catalog.ts';

/** What the scope of a client leaves to the turns that it brought about. */
export interface ClientBound {
  /** Projects that operations reach: patterns as in the scope of a client. */
  readonly projects: readonly string[];
  readonly denyProjects: readonly string[];
  /** null: the client sets none. */
  readonly maxSpawnDepth: number | null;
}

/**
 * What a turn may do, decided once when it is started. Every runtime enforces this object and the banner that people
 * read is made from it.
 */
export interface Capability {
  /** `keeper`: the project's own agent; `agent`: a scoped agent with exactly the listed tools. */
  readonly runsAs: 'agent' | 'keeper';
  /** Label of a fired agent, `trigger-<slug>-<name>`; null where no trigger is behind it. */
  readonly agentName: string | null;
  /** Exact names of the tools that exist for this turn, without doubles, in catalogue order. */
  readonly tools: readonly string[];
  readonly permissionMode: PermissionMode;
  /** Most model calls in one turn, at least 1. */
  readonly maxTurns: number;
  /** A turn at depth d may start turns only if d < maxSpawnDepth. */
  readonly maxSpawnDepth: number;
  /** Bounds from the clients that brought the turn about; all of them hold. Absent where there are none. */
  readonly bounds?: readonly ClientBound[];
}
