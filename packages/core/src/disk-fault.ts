import { getSystemErrorName } from 'node:util';
import { messageOf } from './errors.ts';

/** What is wrong with a disk or with a file on it. */
export type DiskFaultKind =
  | 'full'
  | 'broken'
  | 'read_only'
  | 'forbidden'
  | 'missing'
  | 'damaged'
  | 'descriptors';

/** A fault of the machine's disk. The caller did not cause it, and it disappears once the machine is fixed. */
export interface DiskFault {
  readonly kind: DiskFaultKind;
  /** What is wrong and how to fix it, in one sentence. */
  readonly sentence: string;
}

const SENTENCES: Readonly<Record<DiskFaultKind, string>> = Object.freeze({
  full: 'The disk is full. Free some space; svc recovers automatically.',
  broken: 'The disk cannot be read or written (input/output error). Check the disk.',
  read_only: 'The file system is read-only. Mount it writable.',
  forbidden: 'The user that svc runs as lacks permission to read or write here. Grant it.',
  missing: 'A file cannot be opened. Check that its folder exists and is writable.',
  damaged: 'The database is damaged. Stop svc and replace it with an intact copy.',
  descriptors:
    'Too many open files. Close the programs that hold them, or raise the limit of svc (ulimit -n); svc recovers automatically.',
});

const KINDS: Readonly<Record<string, DiskFaultKind>> = Object.freeze({
  ENOSPC: 'full',
  EDQUOT: 'full',
  // EDQUOT on Linux, which Node does not name.
  'Unknown system error -122': 'full',
  EFBIG: 'full',
  SQLITE_FULL: 'full',
  EIO: 'broken',
  SQLITE_IOERR: 'broken',
  EROFS: 'read_only',
  SQLITE_READONLY: 'read_only',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  SQLITE_PERM: 'forbidden',
  SQLITE_CANTOPEN: 'missing',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
  EMFILE: 'descriptors',
  ENFILE: 'descriptors',
});

// The messages of sqlite3_errstr. The driver reports no code for a prepared statement that failed.
const SQLITE_WORDS: Readonly<Record<string, DiskFaultKind>> = Object.freeze({
  'database or disk is full': 'full',
  'disk I/O error': 'broken',
  'attempt to write a readonly database': 'read_only',
  'unable to open database file': 'missing',
  'database disk image is malformed': 'damaged',
  'file is not a database': 'damaged',
});

/**
 * Classifies a thrown error as a disk fault; null for any other error. Reads `code` and, from the SQLite driver,
 * `systemErrno`, `sqliteCodeName` or the message.
 */
export function diskFaultOf(thrown: unknown): DiskFault | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  const { code, systemErrno, sqliteCodeName, message } = thrown as Readonly<
    Record<string, unknown>
  >;
  const beneath =
    typeof systemErrno === 'number' && systemErrno > 0 ? getSystemErrorName(-systemErrno) : null;
  for (const name of [beneath, sqliteCodeName, code]) {
    const kind = kindIn(KINDS, name);
    if (kind !== undefined) return { kind, sentence: SENTENCES[kind] };
  }
  const kind = code === 'ERR_SQLITE_ERROR' ? kindIn(SQLITE_WORDS, message) : undefined;
  return kind === undefined ? null : { kind, sentence: SENTENCES[kind] };
}

function kindIn(
  table: Readonly<Record<string, DiskFaultKind>>,
  name: unknown,
): DiskFaultKind | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What to do about a fault that prevented a start, from which svc does not recover automatically. */
export function startSentenceOf({ sentence }: DiskFault): string {
  return sentence.replace('; svc recovers automatically.', ', then start svc again.');
}

/** The message of an error without its final full stop. Running out of file descriptors is explained. */
export function messageInWords(thrown: unknown): string {
  const fault = diskFaultOf(thrown);
  return fault?.kind === 'descriptors'
    ? fault.sentence.replace(/^T/, 't').replace(/\.$/, '')
    : messageOf(thrown);
}
