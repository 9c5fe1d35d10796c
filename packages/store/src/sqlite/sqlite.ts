import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { type DiskFault, diskFaultOf, messageOf, startSentenceOf } from '@svc/core';
import {
  type Dialect,
  type LimitNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';
import { EMBEDDED_STEPS } from '../database/baseline.ts';
import { GroupDriver, type Statements } from '../database/group-driver.ts';
import { isNewerSchema, newerSchemaText } from '../database/migrations.ts';
import { StoreError } from '../errors.ts';
import { checkFiles, hadDatabase, lost, type OpenFiles, watchFiles } from './database-files.ts';
import { createHolding, type FileReading } from './file-reading.ts';
import { createPrepared } from './prepared-statements.ts';
import { encodeAll, rowOf } from './value-encoding.ts';

type Database = InstanceType<typeof DatabaseSync>;

// After these, the columns of a prepared statement may have changed.
const RESHAPES = /^\s*(create|alter|drop|vacuum)\b/i;

// The exclusive lock ends with the process, so a killed process leaves nothing to clean up.
const OPENING = [
  // Applies to new files; an existing file has to be rewritten.
  'pragma auto_vacuum=incremental',
  'pragma locking_mode=exclusive',
  'pragma journal_mode=wal',
  'pragma synchronous=full',
  'pragma foreign_keys=on',
  'begin immediate',
  'commit',
  // Frames of a killed process cannot be distinguished from damaged ones once other frames follow them.
  'pragma wal_checkpoint(truncate)',
].join(';');

// The driver keeps prepared statements, and with them the lock, until garbage collection, so the lock is released
// explicitly. The last read makes the new locking mode take effect.
const CLOSING =
  'pragma journal_mode=delete; pragma locking_mode=normal; select count(*) from sqlite_master';

const LOG_ANEW = 'pragma journal_mode=delete; pragma journal_mode=wal; begin immediate; commit';

// Schema changes are transactional like other writes, so that a migration is applied completely or not at all.
class EmbeddedAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

// With a bound limit, SQLite would plan the statement again for each value.
class EmbeddedCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    const isPlain = ValueNode.is(limit) && Number.isSafeInteger(limit.value);
    super.visitLimit(isPlain ? { ...node, limit: ValueNode.createImmediate(limit.value) } : node);
  }
}

// Other programs that read the file hold a lock only for a moment.
const LOCKED_MS = 3000;

/** An open database. */
export interface OpenDatabase {
  readonly dialect: Dialect;
  /**
   * Checks whether another program damaged the files. Returns the problem in one sentence, after which every statement
   * is refused. A removed log is recreated. null if there is no problem.
   */
  examine(): string | null;
  /** Access to its file while it is open. */
  readonly reading: FileReading;
}

/** Receives problems of a database. */
export interface DatabaseListener {
  /** A statement failed because of the disk, or the files were found damaged. */
  failed(fault: DiskFault): void;
  /** A problem that does not prevent operation, in one sentence. */
  noticed(remark: string): void;
}

/**
 * Opens a SQLite file exclusively. Later failures of the disk become a StoreError `unavailable` with a sentence.
 *
 * @throws StoreError `in_use` if another process has the file open, `unreadable` if it cannot be opened, or is not the
 * database that was created here
 */
export function openSqlite(file: string, listener: DatabaseListener): OpenDatabase {
  const { db, files } = openFiles(file, listener);
  let spoiled = false;
  const held = createHolding(files);
  const fail = ({ kind, sentence }: DiskFault, cause?: unknown): StoreError => {
    spoiled ||= kind === 'damaged';
    const message = kind === 'damaged' ? damagedText(file) : sentence;
    listener.failed({ kind, sentence: message });
    return new StoreError('unavailable', message, { cause, facts: { file } });
  };
  const mapErrors = <T>(work: () => T): T => {
    // Data read from a damaged file may be wrong, and data written to it may be lost.
    if (spoiled) throw fail(DAMAGED);
    try {
      return work();
    } catch (error) {
      const fault = faultOf(file, error);
      if (fault === null) throw error;
      throw fail(fault, error);
    }
  };
  const prepared = createPrepared(db);
  const statements: Statements = {
    get isTransaction() {
      return db.isTransaction;
    },
    run: (text, values) =>
      mapErrors(() => {
        if (held.refuses(text)) return { rows: [] };
        if (RESHAPES.test(text)) prepared.clear();
        const { statement, columns } = prepared.of(text);
        const given = encodeAll(values) as never[];
        if (columns !== null) {
          const rows = statement.all(...given) as unknown as (readonly unknown[])[];
          return { rows: rows.map((cells) => rowOf(columns, cells)) };
        }
        const { changes, lastInsertRowid } = statement.run(...given);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      }),
    close() {
      prepared.clear();
      // Closing would run a checkpoint over data that may still be recoverable, so the process ends without it.
      if (spoiled) return;
      closeSqlite(db);
      files.close();
    },
  };
  const dialect: Dialect = {
    createDriver: () => new GroupDriver(statements),
    createQueryCompiler: () => new EmbeddedCompiler(),
    createAdapter: () => new EmbeddedAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
  return {
    dialect,
    reading: held.reading,
    examine() {
      try {
        const found = spoiled || db.isTransaction ? 'fine' : files.look();
        if (found === 'spoiled') fail(DAMAGED);
        if (found === 'log_gone') {
          held.tear();
          mapErrors(() => db.exec(LOG_ANEW));
          files.opened();
          listener.noticed('The log of the database was removed and has been created again.');
        }
      } catch (error) {
        // The next check reports it; a problem of the disk was already reported.
        if (!(error instanceof StoreError) && diskFaultOf(error) === null) throw error;
      }
      return spoiled ? damagedText(file) : null;
    },
  };
}

/**
 * Checks a whole database that no process has open. Returns the problem in one sentence; null if there is none, or no
 * database.
 */
export function examineDatabase(file: string): string | null {
  if (!existsSync(file) && !hadDatabase(file)) return null;
  try {
    const { db, files } = openFiles(file, { failed() {}, noticed() {} });
    const [row] = db.prepare('pragma quick_check(1)').all() as { quick_check: string }[];
    const isSound = row?.quick_check === 'ok';
    if (!isSound) return damagedAtStart(file);
    const isNewer = isNewerSchema(stepsOf(db), EMBEDDED_STEPS);
    closeSqlite(db);
    files.close();
    return isNewer ? newerSchemaText('home folder') : null;
  } catch (error) {
    return openingError(file, error).message;
  }
}

// Empty for a database without tables.
function stepsOf(db: Database): string[] {
  const table = db.prepare(`select 1 from sqlite_schema where name = 'kysely_migration'`);
  if (table.get() === undefined) return [];
  const rows = db.prepare('select name from kysely_migration').all();
  return rows.map(({ name }) => String(name));
}

// A prepared statement does not report which I/O error occurred; an exceeded quota is one too.
function faultOf(file: string, error: unknown): DiskFault | null {
  const fault = diskFaultOf(error);
  const isVague = fault?.kind === 'broken' && !('sqliteCode' in (error as object));
  return isVague ? (writingFault(`${file}.probe`) ?? fault) : fault;
}

function writingFault(file: string): DiskFault | null {
  try {
    writeFileSync(file, Buffer.alloc(4096));
    return null;
  } catch (error) {
    return diskFaultOf(error);
  } finally {
    rmSync(file, { force: true });
  }
}

const DAMAGED: DiskFault = { kind: 'damaged', sentence: '' };

function damagedText(file: string): string {
  return `The database ${file} is damaged. Stop svc and replace it with an intact copy.`;
}

function damagedAtStart(file: string): string {
  return `The database ${file} is damaged. Replace it with an intact copy.`;
}

function closeSqlite(db: Database): void {
  try {
    db.exec(CLOSING);
  } catch (error) {
    // What could not be moved stays in the log until the next start.
    if (diskFaultOf(error) === null) throw error;
  } finally {
    db.close();
  }
}

function openFiles(
  file: string,
  listener: DatabaseListener,
): { readonly db: Database; readonly files: OpenFiles } {
  let db: Database | undefined;
  try {
    const had = hadDatabase(file);
    // Not closed if this fails, because that would cost another opening in this process its lock.
    const files = watchFiles(file);
    const remark = checkFiles(file, files.head(), had);
    if (remark !== null) listener.noticed(remark);
    db = new DatabaseSync(file, { timeout: LOCKED_MS });
    db.exec(OPENING);
    if (had && isEmpty(db)) throw lost(file);
    files.opened();
    return { db, files };
  } catch (error) {
    db?.close();
    throw openingError(file, error);
  }
}

function isEmpty(db: Database): boolean {
  return db.prepare('select 1 from sqlite_master limit 1').get() === undefined;
}

function openingError(file: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const cause = { cause: error, facts: { file } };
  if (/locked|busy/i.test(messageOf(error))) {
    const message = `Another program, perhaps another svc process, uses the database ${file}. Stop it, or choose another home with --home.`;
    return new StoreError('in_use', message, cause);
  }
  const fault = diskFaultOf(error);
  if (fault?.kind === 'damaged') {
    return new StoreError('unreadable', damagedAtStart(file), cause);
  }
  const why =
    fault === null || fault.kind === 'missing'
      ? ` (${messageOf(error)}). Check that the data folder is writable and on a local disk.`
      : `. ${startSentenceOf(fault)}`;
  return new StoreError('unreadable', `The database ${file} cannot be opened${why}`, cause);
}
