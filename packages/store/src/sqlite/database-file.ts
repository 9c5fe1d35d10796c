import { DatabaseSync } from '@photostructure/sqlite';
import { messageOf } from '@svc/core';
import { Kysely } from 'kysely';
import { EMBEDDED_STEPS } from '../database/baseline.ts';
import { isNewerSchema } from '../database/migrations.ts';
import type { Tables } from '../database/schema.ts';
import { createCopies, type DatabaseCopy } from './copies.ts';
import { openSqlite } from './sqlite.ts';

type Database = InstanceType<typeof DatabaseSync>;

/**
 * Copies an embedded database that no process has open, written by any version, without changing it.
 *
 * @throws StoreError `in_use`, `unreadable`
 */
export async function openClosed(file: string): Promise<DatabaseCopy> {
  const { dialect, reading } = openSqlite(file, { failed() {}, noticed() {} });
  const db = new Kysely<Tables>({ dialect });
  try {
    const copy = await createCopies(db, reading).open();
    const close = async (): Promise<void> => {
      await copy.close();
      await db.destroy();
    };
    return { ...copy, close };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Result of examining a copy. */
export interface ExaminedFile {
  /** What is wrong with it, in a few words; null if nothing. */
  readonly fault: string | null;
  /** Name of the newest migration step; empty if there is none. */
  readonly schema: string;
  /** Whether a later version wrote it. */
  readonly isNewer: boolean;
}

/** Checks the whole file of a copy. */
export function examineFile(file: string): ExaminedFile {
  try {
    return withFile(file, (db) => {
      const [row] = db.prepare('pragma integrity_check(1)').all();
      const said = String(row?.['integrity_check']);
      const names = stepsOf(db);
      return {
        fault: said === 'ok' ? null : said,
        schema: names.at(-1) ?? '',
        isNewer: isNewerSchema(names, EMBEDDED_STEPS),
      };
    });
  } catch (error) {
    return { fault: messageOf(error), schema: '', isNewer: false };
  }
}

/** Deletes sign-in sessions from a copy, including their bytes. */
export function withoutSignIns(file: string): void {
  withFile(file, (db) => {
    const has = db.prepare(`select 1 from sqlite_schema where type = 'table' and name = 'session'`);
    if (has.get() !== undefined) db.exec('pragma secure_delete=on; delete from session');
  });
}

function stepsOf(db: Database): string[] {
  const rows = db.prepare('select name from kysely_migration order by name').all();
  return rows.map(({ name }) => String(name));
}

function withFile<T>(file: string, work: (db: Database) => T): T {
  const db = new DatabaseSync(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
