/** What ends the processes that turns leave behind. */
export interface ProcessReaper {
  /**
   * Ends every process that carries `SVC_TURN_ID=<id>` of one of these turns in its environment, and every process
   * that descends from one: SIGTERM, a second of grace, SIGKILL. Resolves when they are gone.
   *
   * @param turnIds Ids of turns; empty does nothing.
   * @param also.groups Leaders of process groups that the caller itself started for these turns; what is left of
   *   those groups is ended too.
   */
  endTurns(
    turnIds: readonly string[],
    also?: { readonly groups?: readonly number[] },
  ): Promise<{ readonly ended: number }>;
  /** Ends a process group that the caller started, and all descendants of its members. */
  endGroup(leader: number): Promise<{ readonly ended: number }>;
}
