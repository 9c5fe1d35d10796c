import { DatabaseSync } from '@photostructure/sqlite';
import { messageOf } from '@svc/core';
import { Kysely } from 'kysely';
import { isNewerSchema } from '../database/migrations.ts';
import type { Tables } from '../database/schema.ts';
import { createCopies, type DatabaseCopy } from './copies.ts';
import { EMBEDDED_STEPS } from './embedded-steps.ts';
import { openSqlite } from './sqlite.ts';

type Database = InstanceType<typeof DatabaseSync>;

/**
 * Begins to copy an embedded database that nobody has open, whatever version has written it: nothing of it is changed.
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

/** What the file of a copy holds. */
export interface ExaminedFile {
  /** What is wrong with it, in a few words; null for nothing. */
  readonly fault: string | null;
  /** Name of the newest step that its schema has; empty where it has none. */
  readonly schema: string;
  /** Whether a later version of the program has written it. */
  readonly isNewer: boolean;
}

/** Reads the whole file of a copy. */
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

/** Removes who has signed in from the file of a copy, without leaving their bytes there. */
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
