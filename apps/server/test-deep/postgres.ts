import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestHome, withHome } from '../test/harness.ts';

/** A PostgreSQL server. */
export interface Postgres {
  readonly url: string;
  close(): Promise<void>;
}

/** A server that can be stopped, which closes all connections, and started again. */
export interface OwnPostgres extends Postgres {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** An empty database on it. */
export interface Database {
  readonly url: string;
  query(text: string): Promise<object[]>;
  drop(): Promise<void>;
}

interface Maker {
  startPostgres(): Promise<Postgres>;
  startOwnPostgres(): Promise<OwnPostgres>;
  createDatabase(server: string): Promise<Database>;
}

// Like the databases of the store's tests.
const MAKER = new URL('../../../packages/store/test-deep/postgres.mjs', import.meta.url).href;
const { startPostgres, startOwnPostgres, createDatabase } = (await import(MAKER)) as Maker;

export { createDatabase as makeDatabase, startOwnPostgres, startPostgres };

/** A URL with a password, which a server with trust authentication does not check. */
export function withPassword(url: string, password: string): string {
  const address = new URL(url);
  address.password = password;
  return address.href;
}

/** A home with an empty database; both are removed afterwards. */
export async function withDatabase(
  server: Postgres,
  test: (home: TestHome, database: Database) => Promise<void>,
): Promise<void> {
  const database = await createDatabase(server.url);
  try {
    await withHome(async (home) => {
      mkdirSync(join(home.home, 'projects'));
      await test(home, database);
    });
  } finally {
    await database.drop();
  }
}
