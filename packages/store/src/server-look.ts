import { createSystemClock } from '@svc/core';
import { Kysely, sql } from 'kysely';
import { StoreError } from './errors.ts';
import type { Tables } from './schema.ts';

/**
 * Looks whether a PostgreSQL database can be connected to, and changes nothing there: why it cannot, in one sentence; null
 * where it can.
 *
 * @param setting what the address is called by those who can correct it
 */
export async function examineServer(url: string, setting: string): Promise<string | null> {
  try {
    await withServer(url, setting, (db) => sql`select 1`.execute(db));
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

/** What a database keeps, as far as anybody would miss it. */
export interface Kept {
  /** Id of the database; null where it has none yet. */
  readonly id: string | null;
  /** Whether it has a chat or a run. */
  readonly hasAny: boolean;
}

const NOTHING: Kept = { id: null, hasAny: false };

/**
 * Looks what a PostgreSQL database keeps, and changes nothing there.
 *
 * @throws StoreError `unavailable`, `no_address`
 */
export function keptOnServer(url: string, setting: string): Promise<Kept> {
  return withServer(url, setting, async (db) => {
    const { rows } = await sql<{ name: string | null }>`
      select to_regclass('instance') as name`.execute(db);
    if (rows[0]?.name == null) return NOTHING;
    const query = db.selectFrom('instance').select('value').where('key', '=', 'id');
    const any = await sql`
      select 1 where exists (select 1 from chat) or exists (select 1 from run)`.execute(db);
    return {
      id: (await query.executeTakeFirst())?.value ?? null,
      hasAny: any.rows.length > 0,
    };
  });
}

async function withServer<T>(
  url: string,
  setting: string,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const { openServer } = await import('./adapters/postgres.ts');
  const listener = { failed() {}, setting };
  const db = new Kysely<Tables>({
    dialect: openServer(url, listener, createSystemClock()).dialect,
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Looks what the file of an embedded database keeps that nobody has open, and changes nothing; nothing where it is none. */
export async function keptInFile(file: string): Promise<Kept> {
  const { openRows } = await import('./adapters/sqlite-rows.ts');
  try {
    const rows = openRows(file);
    try {
      const id = rows.idOf();
      return { id, hasAny: rows.hasAny('chat') || rows.hasAny('run') };
    } finally {
      rows.close();
    }
  } catch {
    // What cannot be read is told where somebody wants it.
    return NOTHING;
  }
}
