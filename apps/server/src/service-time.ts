import { type Clock, createSystemClock, type Logger } from '@svc/core';
import { createDatabaseClock, type Store } from '@svc/store';

/** The clock of the service. */
export interface ServiceTime {
  readonly clock: Clock;
  /** Synchronizes the clock with a shared database; does nothing otherwise. */
  follow(store: Pick<Store, 'nodes'>): Promise<void>;
  close(): void;
}

/** Creates the clock: that of this machine, or, with a shared database, that of the database. */
export function createServiceTime(logger: Logger, isShared: boolean): ServiceTime {
  const clock = createSystemClock();
  if (!isShared) return { clock, follow: async () => {}, close() {} };
  let timeOf: () => Promise<number | null> = async () => null;
  const ofDatabase = createDatabaseClock({ clock, logger }, () => timeOf());
  return {
    clock: ofDatabase,
    async follow({ nodes }) {
      timeOf = nodes.time;
      await ofDatabase.start();
      // The recorded start time was that of this machine, whose clock may be wrong.
      await nodes.started(ofDatabase.now());
    },
    close: ofDatabase.close,
  };
}
