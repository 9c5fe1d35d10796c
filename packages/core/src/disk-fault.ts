import { getSystemErrorName } from 'node:util';
import { messageOf } from './errors.ts';

/** What is wrong with a disk, or with what lies on it. */
export type DiskFaultKind =
  | 'full'
  | 'broken'
  | 'read_only'
  | 'forbidden'
  | 'missing'
  | 'damaged'
  | 'descriptors';

/** A fault of the machine's disk: nothing that a caller did, and gone when the machine is mended. */
export interface DiskFault {
  readonly kind: DiskFaultKind;
  /** One sentence that says what to do. */
  readonly sentence: string;
}

const SENTENCES: Readonly<Record<DiskFaultKind, string>> = Object.freeze({
  full: 'The disk is full: free some space, and svc goes on by itself.',
  broken: 'The disk cannot be read or written (an input/output error): check it.',
  read_only: 'The file system is read-only: mount it writable.',
  forbidden: 'The user of svc may not read or write here: give it permission.',
  missing: 'A file cannot be opened: check that its folder is there and may be written.',
  damaged: 'The database is damaged: stop svc and put a sound copy in its place.',
  descriptors:
    'No more files may be opened: end what holds so many of them open, or raise the limit of svc (ulimit -n); svc goes on by itself.',
});

const KINDS: Readonly<Record<string, DiskFaultKind>> = Object.freeze({
  ENOSPC: 'full',
  EDQUOT: 'full',
  // The same on Linux, for which Node has no name.
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

// What SQLite says of a prepared statement that failed, of which its driver tells no code (sqlite3_errstr).
const SQLITE_WORDS: Readonly<Record<string, DiskFaultKind>> = Object.freeze({
  'database or disk is full': 'full',
  'disk I/O error': 'broken',
  'attempt to write a readonly database': 'read_only',
  'unable to open database file': 'missing',
  'database disk image is malformed': 'damaged',
  'file is not a database': 'damaged',
});

/**
 * Tells a fault of the disk by what a thrown error says of the system's error (`code`; `systemErrno` and `sqliteCodeName` of
 * the SQLite driver, or its words where it has no more); null for any other.
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

/** What to do about a fault that kept something from starting, which does not go on by itself. */
export function startSentenceOf({ sentence }: DiskFault): string {
  return sentence
    .replace(', and svc goes on by itself.', ', then start svc again.')
    .replace('; svc goes on by itself.', ', then start svc again.');
}

/** What an error says, for the end of a sentence and without its dot; that no more files may be opened is put into words. */
export function messageInWords(thrown: unknown): string {
  const fault = diskFaultOf(thrown);
  return fault?.kind === 'descriptors'
    ? fault.sentence.replace(/^N/, 'n').replace(/\.$/, '')
    : messageOf(thrown);
}
