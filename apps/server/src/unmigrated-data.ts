import type { Settings } from '@svc/settings';
import { type Kept, keptInFile, keptOnServer } from '@svc/store';
import { ServerError } from './errors.ts';
import type { Home } from './home.ts';
import { nodeFileIn, readLastUse } from './last-use.ts';

/** Data of a home that is not in its configured database. */
export interface UnmigratedData {
  /** The problem and how to fix it. */
  readonly reason: string;
  /** Whether a start is refused, because all triggers would fire as if new. */
  readonly isRefused: boolean;
}

type UsedHome = Pick<Home, 'root' | 'data' | 'database'>;
type DatabaseOf = Pick<Settings, 'database'>;

/**
 * Finds data of a home in its file, or in another database, that is missing in the configured database server; null if there is
 * none.
 *
 * @throws StoreError `unavailable` if the server cannot be queried
 */
export async function findUnmigratedData(
  home: UsedHome,
  { database: { url, setting } }: DatabaseOf,
): Promise<UnmigratedData | null> {
  if (url === null) return null;
  const local = await keptInFile(home.database);
  const use = await readLastUse(home);
  if (!local.hasAny && use === null) return null;
  const remote = await keptOnServer(url, setting);
  if (local.hasAny && remote.id !== local.id) {
    return remote.isNew
      ? { reason: neverMigrated(home.database, setting), isRefused: true }
      : { reason: leftBehind(home.database, remote), isRefused: false };
  }
  const isMigrated = remote.id !== null && remote.id === local.id;
  if (use === null || !remote.isNew || isMigrated) return null;
  return { reason: usedElsewhere(home, use.database, setting), isRefused: true };
}

/**
 * Refuses a home whose triggers would fire as if new, and explains the alternatives.
 *
 * @throws ServerError `other_folder`; StoreError `unavailable`
 */
export async function requireMigrated(home: UsedHome, settings: DatabaseOf): Promise<void> {
  const unmigrated = await findUnmigratedData(home, settings);
  if (unmigrated?.isRefused === true) throw new ServerError('other_folder', unmigrated.reason);
}

function neverMigrated(file: string, setting: string): string {
  return `The database in ${setting} is empty, and ${file} has records that were not migrated: triggers would fire as if new. Run svc migrate-store --from embedded --to postgres, or unset ${setting} to use the file, or move the file elsewhere.`;
}

function leftBehind(file: string, remote: Kept): string {
  const loss = `${file} has chats and runs that were not migrated to the current database.`;
  const without = 'To continue without them, move the file elsewhere.';
  return remote.hasAny
    ? `${loss} That database is not empty, and two databases cannot be merged. ${without}`
    : `${loss} To migrate them, stop svc, empty the database, and run svc migrate-store --from embedded --to postgres. ${without}`;
}

function usedElsewhere(home: UsedHome, database: string | undefined, setting: string): string {
  const which = database === undefined ? 'a database on a server' : `the database ${database}`;
  return `The home ${home.root} was last used with ${which}, and the database in ${setting} is empty: triggers would fire as if new. Restore it with pg_restore, or correct ${setting}. To start with an empty database, remove ${nodeFileIn(home)}.`;
}
