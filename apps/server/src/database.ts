import { hostname } from 'node:os';
import type { Clock, Logger } from '@svc/core';
import type { Settings } from '@svc/settings';
import { openStore, type Store } from '@svc/store';
import { ServerError } from './errors.ts';
import type { Home } from './home.ts';
import { type DatabaseWait, openWhenAvailable } from './open-when-available.ts';
import { claimProjectsFolder } from './projects-folder-marker.ts';
import { requireUnshared } from './shared-home.ts';
import { requireMigrated } from './unmigrated-data.ts';

/** The database to open, and the behavior while its server is unreachable. */
export interface DatabaseParts {
  readonly home: Home;
  readonly settings: Pick<Settings, 'database'>;
  readonly logger: Logger;
  readonly version: string;
  /** Default: an unreachable server is an error. */
  readonly waiting?: DatabaseWait | undefined;
}

/**
 * Opens the database of a home: its file, or the configured database server, for which a start may wait. Refuses a
 * database that does not belong to the projects folder, and an empty one if the home has its history elsewhere.
 *
 * @throws ServerError `stopped`, `other_folder`, and the errors of `openStore`
 */
export async function openDatabase(parts: DatabaseParts, clock: Clock): Promise<Store> {
  const { home, settings, logger, version, waiting } = parts;
  const { url, setting } = settings.database;
  const deps = { clock, logger };
  const program = { version, host: hostname() };
  if (url === null) {
    await requireUnshared(home, settings);
    return openStore(deps, { file: home.database, ...program });
  }
  const open = async (): Promise<Store> => {
    await requireMigrated(home, settings);
    const store = await openStore(deps, { url, setting, ...program });
    try {
      await claimProjectsFolder({ logger, store }, home.projects);
      return store;
    } catch (error) {
      await leaveCluster(store, clock);
      throw error;
    }
  };
  if (waiting === undefined) return open();
  const store = await openWhenAvailable(deps, open, waiting);
  if (store === null) throw new ServerError('stopped', 'Stopped while waiting for the database.');
  return store;
}

// Other servers need not wait for the next heartbeat; if they cannot be notified, they do.
async function leaveCluster(store: Store, clock: Clock): Promise<void> {
  await store.nodes.leave(clock.now()).catch(() => {});
  await store.close();
}
