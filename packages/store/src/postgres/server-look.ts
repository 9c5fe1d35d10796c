import { createSystemClock } from '@svc/core';
import { Kysely, sql } from 'kysely';
import { FOLDER_KEYS } from '../cluster/projects-folder.ts';
import { SERVER_STEPS } from '../database/baseline.ts';
import { isNewerSchema, newerSchemaText } from '../database/migrations.ts';
import type { Tables } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { PAUSED } from '../runs/pausing.ts';
import type { OpenServer } from './postgres.ts';

/**
 * Checks, without changes, whether a PostgreSQL database is reachable and its connections are permanent. Returns the
 * problem in one sentence; null if there is none.
 *
 * @param setting name of the setting with the address, for the sentence
 */
export async function examineServer(url: string, setting: string): Promise<string | null> {
  try {
    return await withServer(url, setting, async (db, { requireSessions }) => {
      await sql`select 1`.execute(db);
      await requireSessions();
      return isNewerSchema(await stepsOf(db), SERVER_STEPS) ? newerSchemaText('database') : null;
    });
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

// Empty for a database without tables.
async function stepsOf(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration') as name`.execute(db);
  if (rows[0]?.name == null) return [];
  const steps = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return steps.rows.map(({ name }) => name);
}

/** Content of a database that users would miss. */
export interface Kept {
  /** Id of the database; null if it has none yet. */
  readonly id: string | null;
  /** Whether it has a chat, a run, or a pause of all triggers. */
  readonly hasAny: boolean;
  /** Whether no server has ever started with it and a projects folder; always true for a file. */
  readonly isNew: boolean;
}

const NOTHING: Kept = { id: null, hasAny: false, isNew: true };

/**
 * Reads, without changes, what a PostgreSQL database contains.
 *
 * @throws StoreError `unavailable`, `no_address`
 */
export function keptOnServer(url: string, setting: string): Promise<Kept> {
  return withServer(url, setting, async (db) => {
    const { rows } = await sql<{ name: string | null }>`
      select to_regclass('instance') as name`.execute(db);
    if (rows[0]?.name == null) return NOTHING;
    const notes = await db.selectFrom('instance').select(['key', 'value']).execute();
    const any = await sql`
      select 1 where exists (select 1 from chat) or exists (select 1 from run)`.execute(db);
    return {
      id: notes.find(({ key }) => key === 'id')?.value ?? null,
      hasAny: any.rows.length > 0 || notes.some(({ key }) => key === PAUSED),
      isNew: !notes.some(({ key }) => FOLDER_KEYS.includes(key)),
    };
  });
}

async function withServer<T>(
  url: string,
  setting: string,
  work: (db: Kysely<Tables>, server: OpenServer) => Promise<T>,
): Promise<T> {
  const { openServer } = await import('./postgres.ts');
  const listener = { failed() {}, setting };
  const server = openServer(url, listener, createSystemClock());
  const db = new Kysely<Tables>({ dialect: server.dialect });
  try {
    return await work(db, server);
  } finally {
    await db.destroy();
  }
}

/**
 * Reads, without changes, what the file of an embedded database contains that no process has open; nothing if it is not
 * a database.
 */
export async function keptInFile(file: string): Promise<Kept> {
  const { openRows } = await import('../sqlite/sqlite-rows.ts');
  try {
    const rows = openRows(file);
    try {
      const id = rows.idOf();
      const hasAny = rows.hasAny('chat') || rows.hasAny('run') || rows.isPaused();
      return { id, hasAny, isNew: true };
    } finally {
      rows.close();
    }
  } catch {
    // The later start of the service reports a file that cannot be read.
    return NOTHING;
  }
}
