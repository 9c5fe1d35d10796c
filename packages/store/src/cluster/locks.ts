/** A lock that is held. */
export interface HeldName {
  /** False after the connection to the database was lost: another process may hold the lock now. */
  readonly isHeld: boolean;
  release(): Promise<void>;
}

/** Named locks that exclude every other process that uses the database. */
export interface NameLocks {
  /**
   * Takes the lock on a name, waiting up to 20 s. Locks of dead processes are free.
   *
   * @throws StoreError `unavailable` if it cannot be taken within that time, or the database does not respond
   */
  take(name: string): Promise<HeldName>;
}

/** Locks that their owner can close. */
export interface OpenLocks extends NameLocks {
  /** Waits up to 2 s for locks that are held; locks still held then are lost. */
  close(): Promise<void>;
}

/** Locks for an embedded database, which no other process uses. */
export const NO_LOCKS: OpenLocks = {
  take: async () => ({ isHeld: true, release: async () => {} }),
  async close() {},
};
