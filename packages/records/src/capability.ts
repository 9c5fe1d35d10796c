import type { PermissionMode } from './catalog.ts';

/** Projects that something is bounded to: patterns as in the scope of a client. */
export interface ProjectReach {
  readonly projects: readonly string[];
  readonly denyProjects: readonly string[];
}

/**
 * What a turn may do, decided once when it is started. Every runtime enforces this object and the banner that people
 * read is made from it.
 */
export interface Capability {
  /** `keeper`: the project's own agent; `agent`: a scoped agent with exactly the listed tools. */
  readonly runsAs: 'agent' | 'keeper';
  /** Label of a fired agent, `trigger-<slug>-<name>`; null for a chat that no trigger started. */
  readonly agentName: string | null;
  /** Exact names of the tools that exist for this turn, without doubles, in catalogue order. */
  readonly tools: readonly string[];
  readonly permissionMode: PermissionMode;
  /** Most model calls in one turn, at least 1. */
  readonly maxTurns: number;
  /** A turn at depth d may start turns only if d < maxSpawnDepth. */
  readonly maxSpawnDepth: number;
  /**
   * Projects that the turn's operations reach: those that each of these covers. Absent: no bound. It comes from the
   * clients that brought the turn about.
   */
  readonly reach?: readonly ProjectReach[];
}
