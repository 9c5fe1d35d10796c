import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  read,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StoreError } from '../errors.ts';
import { isLogDamaged } from './log-damage.ts';

// https://sqlite.org/fileformat2.html#the_database_header
const BEGINNING = Buffer.from('SQLite format 3\0');
const LOG_MAGIC = Buffer.from([0x37, 0x7f, 0x06]);
const HEADER_BYTES = 100;
const READ_VERSION_AT = 19;
const WITH_LOG = 2;

/**
 * Looks at the files of a database that nobody has open, before SQLite takes what is missing for new and what is damaged
 * for the end. What they lack without keeping it from being opened comes back as a sentence; null for nothing.
 *
 * @param head The beginning of the database, as its `OpenFiles` tell it.
 * @param had Whether there was a database before.
 * @throws StoreError `unreadable` where opening them would lose what was recorded
 */
export function checkFiles(file: string, head: Buffer, had: boolean): string | null {
  const logFile = `${file}-wal`;
  const aside = setLogAside(file, head);
  if (aside !== null) return aside;
  const hasLog = identityOf(logFile) !== null;
  const log = hasLog ? readFileSync(logFile) : Buffer.alloc(0);
  if (head.length === 0 && (had || log.length > 0)) throw lost(file);
  if (isLogDamaged(log)) {
    const message = `The database log ${logFile} is damaged. Replace both files with intact copies, or move the log away to continue without the newest records.`;
    throw new StoreError('unreadable', message, { facts: { file } });
  }
  return head[READ_VERSION_AT] === WITH_LOG && !hasLog
    ? `The database log ${logFile} is missing although the database was not closed: the newest records may be lost.`
    : null;
}

// A kept copy needs no log. One beside it is of the database whose place it has taken after a crash, and would be written over
// it. A database that has a log says so in its beginning before the log is made.
function setLogAside(file: string, head: Buffer): string | null {
  const logFile = `${file}-wal`;
  const isCopy = head.length > READ_VERSION_AT && head[READ_VERSION_AT] !== WITH_LOG;
  if (!isCopy || (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  const aside = `${logFile}.other`;
  renameSync(logFile, aside);
  rmSync(`${file}-shm`, { force: true });
  syncNow(dirname(file));
  return `The log ${logFile} belonged to another database, which ${file} replaced. It was moved to ${aside}.`;
}

/** The refusal of a database that holds nothing although there was one. */
export function lost(file: string): StoreError {
  const message = `The database ${file} is missing or empty. Replace it with an intact copy. To start with an empty database, move ${markOf(file)} and the remaining database files away.`;
  return new StoreError('unreadable', message, { facts: { file } });
}

/** Whether a database was made under this name before. */
export function hadDatabase(file: string): boolean {
  return existsSync(markOf(file));
}

/** Notes durably that a database was made, outside of it. */
export function noteDatabase(file: string, id: string): void {
  if (hadDatabase(file)) return;
  const staged = `${markOf(file)}.new`;
  writeDurably(staged, `${id}\n`);
  renameSync(staged, markOf(file));
  syncNow(dirname(file));
}

function markOf(file: string): string {
  return `${file}.id`;
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncNow(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Looks at the files of a database while it is open. */
export interface OpenFiles {
  /** The beginning of the database; empty for an empty one. */
  head(): Buffer;
  /** `spoiled`: something else has written into them. `log_gone`: the log was removed; all of it is still in our hands. */
  look(): 'fine' | 'spoiled' | 'log_gone';
  /** How many bytes the database has. */
  size(): number;
  /** Reads into a buffer from a place on; resolves with how many bytes there were. */
  read(into: Buffer, position: number): Promise<number>;
  /** To be called once the log is there that is ours from now on. */
  opened(): void;
  /** To be called when the database is closed. */
  close(): void;
}

/**
 * Watches the files of a database, which is made where there is none; to be called before SQLite opens them, because a process that closes a file loses the
 * locks that it has on it. Its first page must be in it, and not in its log alone.
 */
export function watchFiles(file: string): OpenFiles {
  const logFile = `${file}-wal`;
  const descriptor = openSync(file, 'a+');
  let log: string | null = null;
  const head = (): Buffer => readBeginning(descriptor);
  return {
    head,
    look() {
      if (!startsWith(head(), BEGINNING)) return 'spoiled';
      if (log === null) return 'fine';
      if (identityOf(logFile) !== log) return 'log_gone';
      const start = beginningOf(logFile);
      return start.length === 0 || startsWith(start, LOG_MAGIC) ? 'fine' : 'spoiled';
    },
    size: () => fstatSync(descriptor).size,
    read: (into, position) => readAt(descriptor, into, position),
    opened() {
      log = identityOf(logFile);
    },
    close: () => closeSync(descriptor),
  };
}

const readFrom = promisify(read);

async function readAt(descriptor: number, into: Buffer, position: number): Promise<number> {
  const { bytesRead } = await readFrom(descriptor, into, 0, into.length, position);
  return bytesRead;
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

function identityOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}

function beginningOf(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    return readBeginning(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readBeginning(descriptor: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
}
