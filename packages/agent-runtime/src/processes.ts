/** What the caller of a reaper knows of the processes of its turns. */
export interface TurnProcesses {
  /** Leaders of process groups that the caller itself started for these turns, the first that it started before all others. */
  readonly groups?: readonly number[];
  /**
   * What `forks()` told before the first of `groups` was started. With it a turn that has left nobody behind costs a look
   * at the younger processes alone. Default: null, all processes are looked at.
   */
  readonly since?: number | null;
}

/** What ends the processes that turns leave behind. */
export interface ProcessReaper {
  /**
   * How many processes this machine has started up to now, for `since` of `endTurns`; null where that is not told.
   */
  forks(): number | null;
  /**
   * Ends every process that carries `SVC_TURN_ID=<id>` of one of these turns in its environment or was marked by
   * `markingScript`, every process that descends from one, and what is left of the given groups: SIGTERM, a second of
   * grace, SIGKILL. Resolves when they are gone.
   *
   * @param turnIds Ids of turns; empty does nothing.
   * @param also What is known of their processes.
   */
  endTurns(turnIds: readonly string[], also?: TurnProcesses): Promise<{ readonly ended: number }>;
  /** Turns that have processes on this machine, by `SVC_TURN_ID` in their environment. */
  turns(): Promise<readonly string[]>;
  /** Ends a process group that the caller started, and all descendants of its members. */
  endGroup(leader: number): Promise<{ readonly ended: number }>;
}
