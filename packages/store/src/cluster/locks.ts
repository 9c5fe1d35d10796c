import { createKeyedMutex } from '@svc/core';

/** A lock that is held. */
export interface HeldName {
  /** False after the connection to the database was lost: another process may hold the lock now. */
  readonly isHeld: boolean;
  release(): Promise<void>;
}

/** Named locks. Each excludes every other holder of its name, in this process and in all others that use the database. */
export interface NameLocks {
  /**
   * Takes the lock on a name: waits for earlier holders in this process, in order, then up to 20 s for those in others.
   * Locks of dead processes are free.
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

/** Locks of a database that only this process uses: no other process is to be excluded. */
export const NO_LOCKS: OpenLocks = {
  take: async () => ({ isHeld: true, release: async () => {} }),
  async close() {},
};

/** Lets one holder per name in this process use the locks that exclude other processes. */
export function createNameLocks(others: OpenLocks): OpenLocks {
  const line = createKeyedMutex();
  return {
    take: (name) =>
      new Promise((resolve, reject) => {
        const hold = async (): Promise<void> => {
          const held = await others.take(name);
          await new Promise<void>((released) =>
            resolve({
              get isHeld() {
                return held.isHeld;
              },
              release: () => held.release().finally(released),
            }),
          );
        };
        line.run(name, hold).catch(reject);
      }),
    close: () => others.close(),
  };
}
