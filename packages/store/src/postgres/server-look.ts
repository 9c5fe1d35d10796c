import { createSystemClock } from '@svc/core';
import { Kysely, sql } from 'kysely';
import { FOLDER_KEYS } from '../cluster/projects-folder.ts';
import { isNewerSchema, newerSchemaText } from '../database/migrations.ts';
import type { Tables } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { PAUSED } from '../runs/pausing.ts';
import { SERVER_STEPS } from './baseline.ts';
import type { OpenServer } from './postgres.ts';

/**
 * Looks whether a PostgreSQL database can be connected to, and its connections last, and changes nothing there: why not, in
 * one sentence; null where all is well.
 *
 * @param setting what the address is called by those who can correct it
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

// None for a database without tables.
async function stepsOf(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration') as name`.execute(db);
  if (rows[0]?.name == null) return [];
  const steps = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return steps.rows.map(({ name }) => name);
}

/** What a database keeps, as far as anybody would miss it. */
export interface Kept {
  /** Id of the database; null where it has none yet. */
  readonly id: string | null;
  /** Whether it has a chat or a run, or a pause of everything. */
  readonly hasAny: boolean;
  /** Whether no server has ever started with it and a folder of projects; always true of a file. */
  readonly isNew: boolean;
}

const NOTHING: Kept = { id: null, hasAny: false, isNew: true };

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

/** Looks what the file of an embedded database keeps that nobody has open, and changes nothing; nothing where it is none. */
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
    // What cannot be read is told where somebody wants it.
    return NOTHING;
  }
}
