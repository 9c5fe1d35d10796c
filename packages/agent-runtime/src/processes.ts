/** What the caller knows about the processes of its turns. */
export interface TurnProcesses {
  /** Leaders of process groups that the caller started for these turns, oldest first. */
  readonly groups?: readonly number[];
  /**
   * The value of `forks()` before the first of `groups` was started. It limits the search to younger processes.
   * Default: null, which searches all processes.
   */
  readonly since?: number | null;
}

/** Ends processes that turns leave running. */
export interface ProcessReaper {
  /** The number of processes that this machine has started so far, for `since` of `endTurns`; null if unknown. */
  forks(): number | null;
  /**
   * Ends every process that carries `SVC_TURN_ID=<id>` of one of these turns in its environment or was marked by
   * `markingScript`, all their descendants, and the rest of the given groups: SIGTERM, then SIGKILL after a second.
   * Resolves when they have exited.
   *
   * @param turnIds Ids of turns; empty does nothing.
   * @param also What is known about their processes.
   */
  endTurns(turnIds: readonly string[], also?: TurnProcesses): Promise<{ readonly ended: number }>;
  /** Turns that have processes on this machine, by `SVC_TURN_ID` in their environment. */
  turns(): Promise<readonly string[]>;
  /** Ends a process group that the caller started, and all descendants of its members. */
  endGroup(leader: number): Promise<{ readonly ended: number }>;
}
