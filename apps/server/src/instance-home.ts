import { type Clock, createSystemClock, type Logger } from '@svc/core';
import type { FileLocks } from '@svc/projects';
import { shownAddress } from '@svc/settings';
import { createDatabaseClock, type Store } from '@svc/store';
import { type DatabaseParts, openDatabase } from './database.ts';
import { NO_FOLDER_WATCH, watchFolder } from './folder-watch.ts';
import { prepareHome } from './home.ts';
import { createHomeGuard, type GuardedHome, type HomeGuard } from './home-guard.ts';
import { type HomeLock, takeHomeLock } from './home-lock.ts';
import { namingOwner } from './instance-file.ts';
import { recordUse } from './last-use.ts';

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

/** A home that this process uses alone. */
export interface OpenedHome {
  readonly lock: HomeLock;
  readonly store: Store;
}

/** Takes the lock of a home, and opens its database. */
export async function openHome(
  parts: DatabaseParts,
  serviceClock: ServiceClock,
  locks: FileLocks,
): Promise<OpenedHome> {
  const { home, logger } = parts;
  const lock = await takeHomeLock({ locks, logger }, home).catch(async (error: unknown) => {
    throw await namingOwner(home, error);
  });
  try {
    // The lock comes first: another process that holds it must recreate a deleted folder itself.
    await prepareHome(home);
    const store = await openDatabase(parts, serviceClock.clock);
    await serviceClock.synchronize(store).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    return { lock, store };
  } catch (error) {
    await lock.release();
    throw await namingOwner(home, error);
  }
}

/** Starts to check whether the home stays usable. */
export async function guardHome(
  { home, settings, logger }: DatabaseParts,
  { lock, store }: OpenedHome,
  clock: Clock,
  onChange: GuardedHome['onChange'],
): Promise<HomeGuard> {
  const { data, projects } = home;
  const deps = { clock, logger };
  if (settings.database.url === null) {
    const watch = await watchFolder(deps, projects, null);
    const examine = () => store.examine() ?? watch.fault();
    return createHomeGuard(deps, { data, database: home.database, lock, examine, onChange });
  }
  const known = await store.projectsFolder.read();
  const isMarked = known !== null && known.path !== null;
  const watch = isMarked ? await watchFolder(deps, projects, known.id) : NO_FOLDER_WATCH;
  return createHomeGuard(deps, { data, database: null, lock, examine: watch.fault, onChange });
}

/** Records which database and projects folder are used, so that commands started without these settings find them. */
export async function previousNodeOf(
  { home, settings }: DatabaseParts,
  { nodeId }: Store,
): Promise<string | null> {
  const { url } = settings.database;
  if (url === null) return null;
  return recordUse(home, nodeId, { database: shownAddress(url), projects: home.projects });
}
