import { createSystemClock } from '@svc/core';
import { Kysely, sql } from 'kysely';
import { StoreError } from './errors.ts';
import type { Tables } from './schema.ts';

/**
 * Looks whether a PostgreSQL database can be connected to, and changes nothing there: why it cannot, in one sentence; null
 * where it can.
 */
export async function examineServer(url: string): Promise<string | null> {
  const { openServer } = await import('./adapters/postgres.ts');
  let db: Kysely<Tables> | null = null;
  try {
    db = new Kysely<Tables>({
      dialect: openServer(url, { failed() {} }, createSystemClock()).dialect,
    });
    await sql`select 1`.execute(db);
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  } finally {
    await db?.destroy();
  }
}
