import { type Clock, createSystemClock, type Logger } from '@svc/core';
import { createDatabaseClock, type Store } from '@svc/store';

/** The clock of the service. */
export interface ServiceClock {
  readonly clock: Clock;
  /** Synchronizes the clock with a shared database; does nothing otherwise. */
  synchronize(store: Pick<Store, 'nodes'>): Promise<void>;
  close(): void;
}

/** Creates the clock: that of this machine, or, with a shared database, that of the database. */
export function createServiceClock(logger: Logger, isShared: boolean): ServiceClock {
  const clock = createSystemClock();
  if (!isShared) return { clock, synchronize: async () => {}, close() {} };
  let databaseTime: () => Promise<number | null> = async () => null;
  const databaseClock = createDatabaseClock({ clock, logger }, () => databaseTime());
  return {
    clock: databaseClock,
    async synchronize({ nodes }) {
      databaseTime = nodes.time;
      await databaseClock.start();
      // The recorded start time was that of this machine, whose clock may be wrong.
      await nodes.started(databaseClock.now());
    },
    close: databaseClock.close,
  };
}
