import { createFakeClock } from '@svc/core/testing';
import { openStore, type Store } from '@svc/store';
import pg from 'pg';
import { withUrl } from '../test/database.ts';
import { T0 } from '../test/harness.ts';

/** A store as one process has it. */
export function open(url: string): Promise<Store> {
  return openStore({ clock: createFakeClock(T0) }, { url, version: '1' });
}

/** Several stores over one database, as several processes have them. */
export async function withStores(
  count: number,
  test: (...stores: Store[]) => Promise<void>,
): Promise<void> {
  await withUrl(async (url) => {
    const stores = await Promise.all(Array.from({ length: count }, () => open(url)));
    try {
      await test(...stores);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}

/** A connection with no store in between. */
export async function withClient(
  url: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
