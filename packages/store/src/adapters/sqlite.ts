import { DatabaseSync } from '@photostructure/sqlite';
import { type DiskFault, diskFaultOf, localDay, messageOf } from '@svc/core';
import { SqliteDialect } from 'kysely';
import { contentHash } from '../contents.ts';
import { StoreError } from '../errors.ts';
import { lengthened, lengthenedRow, shortened, shortenedAll } from './short-forms.ts';

type Database = InstanceType<typeof DatabaseSync>;

const READS = /^\s*(select|with|pragma)\b|\breturning\b/i;

// The exclusive lock lives as long as the process, so a killed one leaves nothing behind to clear.
const OPENING = [
  // Heeded by a file that is made here; one from before is told to when it is made anew.
  'pragma auto_vacuum=incremental',
  'pragma locking_mode=exclusive',
  'pragma journal_mode=wal',
  'pragma synchronous=full',
  'pragma foreign_keys=on',
  'begin immediate',
  'commit',
].join(';');

// The driver keeps prepared statements until they are collected as garbage, and with them the lock: it is given back
// by hand. The last read makes the new locking mode take effect.
const CLOSING =
  'pragma journal_mode=delete; pragma locking_mode=normal; select count(*) from sqlite_master';

const NOTHING_DONE = { changes: 0, lastInsertRowid: 0 };

/**
 * Opens one SQLite file for this process alone. What fails later for a reason of the disk fails with a StoreError
 * `unavailable` in a sentence, and is told to `onFault`.
 *
 * @throws StoreError `in_use` when another process holds the file, `unreadable` when it cannot be opened.
 */
export function openSqlite(file: string, onFault: (fault: DiskFault) => void): SqliteDialect {
  const db = openDatabase(file);
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const fault = diskFaultOf(error);
      if (fault === null) throw error;
      onFault(fault);
      throw new StoreError('unavailable', fault.sentence, { cause: error, facts: { file } });
    }
  };
  // Preparing costs more than running: the same few dozen texts come again and again.
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  const prepare = (text: string) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = db.prepare(text);
    if (prepared.size < 500) prepared.set(text, statement);
    return statement;
  };
  return new SqliteDialect({
    database: {
      close: () => {
        prepared.clear();
        try {
          db.exec(CLOSING);
        } catch (error) {
          // What could not be moved to its place stays in the log beside it until the next start.
          if (diskFaultOf(error) === null) throw error;
        } finally {
          db.close();
        }
      },
      prepare(text) {
        const statement = told(() => prepare(text));
        return {
          reader: READS.test(text),
          all: (parameters) =>
            told(() => statement.all(...(shortenedAll(parameters) as never[])).map(lengthenedRow)),
          run: (parameters) => {
            // Some faults end a transaction by themselves; rolling it back then would hide them behind another one.
            if (text === 'rollback' && !db.isTransaction) return NOTHING_DONE;
            const result = told(() => statement.run(...(shortenedAll(parameters) as never[])));
            return { changes: result.changes, lastInsertRowid: result.lastInsertRowid };
          },
          iterate: () => {
            throw new Error('Rows are not streamed.');
          },
        };
      },
    },
  });
}

function openDatabase(file: string): Database {
  let db: Database | undefined;
  try {
    db = new DatabaseSync(file);
    db.exec(OPENING);
    // For migrations.
    const pure = { deterministic: true };
    db.function('short_form', pure, shortened);
    db.function('content_hash', pure, contentHash);
    db.function('local_day', (at: unknown) => localDay(Date.parse(String(lengthened(at)))));
    return db;
  } catch (error) {
    db?.close();
    if (/locked|busy/i.test(messageOf(error))) {
      throw new StoreError(
        'in_use',
        'Another svc process uses this home folder: stop it, or choose another one with --home.',
        { cause: error },
      );
    }
    throw new StoreError(
      'unreadable',
      `The database cannot be opened (${messageOf(error)}): check that the data folder is writable and on a local disk.`,
      { cause: error, facts: { file } },
    );
  }
}
