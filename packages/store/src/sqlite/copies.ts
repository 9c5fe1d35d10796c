import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import type { FileReading } from './file-reading.ts';

/** An embedded database as it was at one moment, while it is in use. */
export interface DatabaseCopy {
  /** How many bytes there are. */
  readonly bytes: number;
  /** Name of the newest step that its schema has. */
  readonly schema: string;
  /**
   * The bytes of one file, which needs no log beside it; to be read once. Throws StoreError `unavailable` where the database
   * is closed meanwhile, or its log was removed.
   */
  readonly chunks: AsyncIterable<Buffer>;
  /** Lets the database carry its log over again: it grows until then. */
  close(): Promise<void>;
}

/** Makes copies of one database, one after the other. */
export interface Copies {
  /** @throws StoreError `unavailable` while another one is being made */
  open(): Promise<DatabaseCopy>;
  /** Ends the one that is being made; to be called before the database is closed. */
  stop(): Promise<void>;
}

const CHUNK_BYTES = 1024 * 1024;
// Pages, as SQLite has it by default.
const CARRY_OVER_AFTER = 1000;
// https://sqlite.org/fileformat2.html#the_database_header
const VERSIONS_AT = 18;
const WITHOUT_LOG = 1;

/**
 * Nothing else may open the file of a database that is held for one process, and to close it would give up the lock: it is
 * read through the descriptor that is there. The file stays as it is while the log is not carried over, so that nobody has
 * to wait: what is written meanwhile goes to the log.
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
    // What was read is no use where it may have changed while it was.
    check();
    const got = chunk.subarray(0, count);
    if (at === 0) got.fill(WITHOUT_LOG, VERSIONS_AT, VERSIONS_AT + 2);
    yield got;
    at += count;
  }
}
