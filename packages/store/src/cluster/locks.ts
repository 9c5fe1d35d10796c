/** A lock that is held. */
export interface HeldName {
  /** False once it was lost, with the way to the database: what is done from then on may be done by another at the same time. */
  readonly isHeld: boolean;
  release(): Promise<void>;
}

/** Locks on names that exclude every other process that uses the database. */
export interface NameLocks {
  /**
   * Takes the lock on a name, waiting for it up to 20 s if need be. One of a process that is gone is free.
   *
   * @throws StoreError `unavailable` when it is not to be had within that time, or the database does not answer
   */
  take(name: string): Promise<HeldName>;
}

/** Locks with the end that their owner has. */
export interface OpenLocks extends NameLocks {
  /** Waits for those that are held, for 2 s at most; those that are held even then are lost. */
  close(): Promise<void>;
}

/** Locks of a process that has its database for itself: there is nobody to exclude. */
export const NO_LOCKS: OpenLocks = {
  take: async () => ({ isHeld: true, release: async () => {} }),
  async close() {},
};
