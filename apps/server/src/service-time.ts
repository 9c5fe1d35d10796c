import { type Clock, createSystemClock, type Logger } from '@svc/core';
import { createDatabaseClock, type Store } from '@svc/store';

/** The time that everything goes by. */
export interface ServiceTime {
  readonly clock: Clock;
  /** Goes by the time of a database from then on, where several processes share it. */
  follow(store: Pick<Store, 'nodes'>): Promise<void>;
  close(): void;
}

/** Makes the time of one process, or of one of several that share a database, which is that of the database. */
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
      // Until now it was noted by the clock of this machine, which may be any time apart.
      await nodes.started(ofDatabase.now());
    },
    close: ofDatabase.close,
  };
}
