import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import type { FileReading } from './file-reading.ts';

/** A snapshot of an embedded database that is in use. */
export interface DatabaseCopy {
  /** Size in bytes. */
  readonly bytes: number;
  /** Name of the newest migration step. */
  readonly schema: string;
  /**
   * The bytes of one file, which needs no log; can be read once. Throws StoreError `unavailable` if the database is
   * closed meanwhile, or its log was removed.
   */
  readonly chunks: AsyncIterable<Buffer>;
  /** Allows checkpoints again; until then the log grows. */
  close(): Promise<void>;
}

/** Copies a database, one copy at a time. */
export interface Copies {
  /** @throws StoreError `unavailable` while another copy is in progress */
  open(): Promise<DatabaseCopy>;
  /** Ends the current copy; call it before the database is closed. */
  stop(): Promise<void>;
}

const CHUNK_BYTES = 1024 * 1024;
// Number of pages, the default of SQLite.
const CARRY_OVER_AFTER = 1000;
// https://sqlite.org/fileformat2.html#the_database_header
const VERSIONS_AT = 18;
const WITHOUT_LOG = 1;

/**
 * No other descriptor may open and close the file, because that would release the lock of this process. So it is read
 * through the existing descriptor. The file does not change while checkpoints are suspended; writes go to the log and
 * do not wait.
 */
export function createCopies(db: Kysely<Tables>, reading: FileReading): Copies {
  let isTaken = false;
  let isStopped = false;
  let lastRead: Promise<unknown> = Promise.resolve();
  const check = (): void => {
    if (isStopped) throw new StoreError('unavailable', 'The database is being closed.');
    if (!reading.isTorn) return;
    throw new StoreError(
      'unavailable',
      'The log of the database was removed in the meantime. Try again.',
    );
  };
  const release = async (): Promise<void> => {
    if (!isTaken) return;
    reading.release();
    isTaken = false;
    if (isStopped) return;
    await sql.raw(`pragma wal_autocheckpoint=${CARRY_OVER_AFTER}`).execute(db);
    await sql.raw('pragma wal_checkpoint(truncate)').execute(db);
  };
  return {
    async open() {
      if (isTaken) throw new StoreError('unavailable', 'Another copy is in progress. Try again.');
      isTaken = true;
      reading.hold();
      try {
        await carryOver(db);
        const bytes = reading.size();
        const schema = await schemaOf(db);
        const read = (into: Buffer, at: number): Promise<number> => {
          check();
          const reads = reading.read(into, at);
          lastRead = reads.catch(() => {});
          return reads;
        };
        return { bytes, schema, chunks: chunksOf(bytes, read, check), close: release };
      } catch (error) {
        await release();
        throw error;
      }
    },
    async stop() {
      isStopped = true;
      await lastRead;
    },
  };
}

async function carryOver(db: Kysely<Tables>): Promise<void> {
  await sql.raw('pragma wal_autocheckpoint=0').execute(db);
  const { rows } = await sql.raw<{ busy: number }>('pragma wal_checkpoint(restart)').execute(db);
  if (rows[0]?.busy === 0) return;
  throw new StoreError('unavailable', 'Another program is reading the database. Try again.');
}

async function schemaOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`
    select max(name) as name from kysely_migration`.execute(db);
  return rows[0]?.name ?? '';
}

async function* chunksOf(
  bytes: number,
  read: (into: Buffer, at: number) => Promise<number>,
  check: () => void,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - at));
    const count = await read(chunk, at);
    if (count === 0) throw new StoreError('unreadable', 'The database file was truncated.');
    // The chunk is useless if the file may have changed while it was read.
    check();
    const got = chunk.subarray(0, count);
    if (at === 0) got.fill(WITHOUT_LOG, VERSIONS_AT, VERSIONS_AT + 2);
    yield got;
    at += count;
  }
}
