import { type Kept, keptInFile, keptOnServer } from '@svc/store';
import type { Home } from './home.ts';
import type { Settings } from './setting-table.ts';

/**
 * That what a home kept in a file before was never moved to its database on a server, with what to do; null where it was, or
 * there is nothing to move.
 *
 * @throws StoreError `unavailable` where the server does not tell
 */
export async function whyUnmoved(
  home: Pick<Home, 'database'>,
  { database: { url, setting } }: Pick<Settings, 'database'>,
): Promise<string | null> {
  if (url === null) return null;
  const here = await keptInFile(home.database);
  if (!here.hasAny) return null;
  const there = await keptOnServer(url, setting);
  return there.id === here.id ? null : reason(home.database, there);
}

function reason(file: string, there: Kept): string {
  const lack = `${file} has chats and runs that were never moved to the database that is used now.`;
  const without = 'To go on without them, move the file away.';
  return there.hasAny
    ? `${lack} It has others already, and nothing of two can be put together. ${without}`
    : `${lack} To have them there, stop svc, see that the database is empty, and run svc migrate-store --from embedded --to postgres. ${without}`;
}
