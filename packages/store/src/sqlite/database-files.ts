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
 * Checks the files of a database that no process has open, before SQLite treats missing files as new and damaged ones
 * as shorter. Problems that do not prevent opening are returned as a sentence; null if there are none.
 *
 * @param head first bytes of the database, from its `OpenFiles`.
 * @param had whether the database existed before.
 * @throws StoreError `unreadable` if opening would lose recorded data
 */
export function checkFiles(file: string, head: Buffer, had: boolean): string | null {
  const logFile = `${file}-wal`;
  const aside = setLogAside(file, head);
  if (aside !== null) return aside;
  const hasLog = identityOf(logFile) !== null;
  const log = hasLog ? readFileSync(logFile) : Buffer.alloc(0);
  if (head.length === 0 && (had || log.length > 0)) throw lost(file);
  if (isLogDamaged(log)) {
    const message = `The database log ${logFile} is damaged. Replace both files with intact copies, or move the log elsewhere to continue without the newest records.`;
    throw new StoreError('unreadable', message, { facts: { file } });
  }
  return head[READ_VERSION_AT] === WITH_LOG && !hasLog
    ? `The database log ${logFile} is missing although the database was not closed: the newest records may be lost.`
    : null;
}

// A restored copy needs no log. A log beside it belongs to the database that it replaced, and would be applied to it. A
// database with a log records that in its header before it creates the log.
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

/** The error for an empty database that had content before. */
export function lost(file: string): StoreError {
  const message = `The database ${file} is missing or empty. Replace it with an intact copy. To start with an empty database, move ${markOf(file)} and the remaining database files elsewhere.`;
  return new StoreError('unreadable', message, { facts: { file } });
}

/** Whether a database was created under this name before. */
export function hadDatabase(file: string): boolean {
  return existsSync(markOf(file));
}

/** Records durably, outside of the database, that it was created. */
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

/** Monitors the files of an open database. */
export interface OpenFiles {
  /** The first bytes of the database; empty for an empty one. */
  head(): Buffer;
  /**
   * `spoiled`: another program wrote to the files. `log_gone`: the log was removed; its content is still accessible
   * through the open descriptor.
   */
  look(): 'fine' | 'spoiled' | 'log_gone';
  /** Size of the database in bytes. */
  size(): number;
  /** Reads into a buffer from a position; resolves with the number of bytes read. */
  read(into: Buffer, position: number): Promise<number>;
  /** Call it after SQLite has created the log. */
  opened(): void;
  /** Call it when the database is closed. */
  close(): void;
}

/**
 * Monitors the files of a database, and creates the database if there is none. Call it before SQLite opens them,
 * because a process that closes a file loses its locks on it. The first page must be in the file, not only in the log.
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
