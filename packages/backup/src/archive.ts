import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { diskFaultOf } from '@svc/core';
import { extract, type Headers, pack } from 'tar-stream';
import { BackupError } from './errors.ts';
import { LISTED_BESIDE_PATH } from './left-out.ts';
import {
  type BackedUpFile,
  CONFIG,
  DATABASE,
  isPlaced,
  MANIFEST,
  type Manifest,
  noBackup,
  parseManifest,
} from './manifest.ts';

/** A file in a backup. */
export interface Content {
  readonly path: string;
  readonly bytes: number;
  readonly mode: number;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** Maximum size of the manifest, which is held in memory. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** svc refuses a larger configuration, so it is only hashed here. */
const MAX_CONFIG_BYTES = 1024 * 1024;
/** Maximum number of bytes between the contents of two files: their headers, which are held in memory. */
const MAX_BYTES_BETWEEN = 1024 * 1024;

/** Writes files, and at the end the result of `manifest`, to an open file, as a compressed tar archive. */
export async function writeArchive(
  handle: FileHandle,
  contents: AsyncIterable<Content>,
  manifest: (files: readonly BackedUpFile[]) => Manifest,
  signal: AbortSignal,
): Promise<void> {
  const archive = pack();
  const write = async (packed: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of packed) await handle.writeFile(chunk);
  };
  const written = pipeline(chunksOf(archive), createGzip(), write, { signal });
  const filled = fill(archive, contents, manifest).catch((error: unknown) => {
    archive.destroy(error as Error);
    throw error;
  });
  const stopped = written.catch((error: unknown) => {
    archive.destroy();
    throw error;
  });
  // Both end before the file is closed; the first error is the cause.
  const [why] = (await Promise.allSettled([stopped, filled])).filter(isRejected);
  if (signal.aborted) signal.throwIfAborted();
  if (why !== undefined) throw why.reason;
}

const isRejected = (end: PromiseSettledResult<void>): end is PromiseRejectedResult =>
  end.status === 'rejected';

// The streams of the archive library are not Node streams, and Node pipelines do not detect their end.
async function* chunksOf(archive: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* archive;
}

interface Sink extends NodeJS.EventEmitter {
  write(chunk: Uint8Array): boolean;
  end(): void;
}

async function feed(sink: Sink, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const closed = once(sink, 'close').then(() => true);
  closed.catch(() => {});
  for await (const chunk of chunks) {
    if (sink.write(chunk)) continue;
    const isClosed = await Promise.race([closed, once(sink, 'drain').then(() => false)]);
    if (isClosed) return;
  }
  sink.end();
}

async function fill(
  archive: ReturnType<typeof pack>,
  contents: AsyncIterable<Content>,
  manifest: (files: readonly BackedUpFile[]) => Manifest,
): Promise<void> {
  const files: BackedUpFile[] = [];
  const mtime = new Date();
  const add = async ({ path, bytes, mode, chunks }: Content): Promise<void> => {
    const hash = createHash('sha256');
    const header = { name: path, size: bytes, mode, mtime };
    let end = (_error?: Error | null): void => {};
    const ended = new Promise<void>((resolve, reject) => {
      end = (error) => (error == null ? resolve() : reject(error));
    });
    // Reported below, after all files were added.
    ended.catch(() => {});
    const entry = archive.entry(header, end);
    async function* hashed() {
      for await (const chunk of chunks()) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await Promise.race([feed(entry, hashed()), ended]);
    await ended;
    files.push({ path, bytes, sha256: hash.digest('hex') });
  };
  for await (const content of contents) await add(content);
  const text = Buffer.from(`${JSON.stringify(manifest([...files]), null, 2)}\n`);
  const chunks = () => Readable.from([text]);
  await add({ path: MANIFEST, bytes: text.length, mode: 0o600, chunks });
  archive.finalize();
}

/** A file from a backup. Unread content is skipped when the next file is requested. */
export interface Entry {
  readonly path: string;
  readonly bytes: number;
  /** Its permissions; the owner can always read and write. */
  readonly mode: number;
  readonly chunks: AsyncIterable<Buffer>;
}

/**
 * Reads a backup file by file.
 *
 * @throws BackupError if it cannot be read, or contains something that no backup contains
 */
export async function* readArchive(file: string, signal: AbortSignal): AsyncGenerator<Entry> {
  const archive = extract();
  const source = createReadStream(file, { signal });
  const plain = createGunzip();
  const read = pipeline(source, plain, { signal });
  read.catch(() => {});
  const limit = createHeaderLimit(file);
  archive.on('entry', ({ size }) => limit.extend(size ?? 0));
  const fed = feed(archive, limit.count(plain)).catch((error: unknown) =>
    archive.destroy(error as Error),
  );
  // The archive is not a Node stream: it waits for its reader until it is destroyed.
  const onAbort = (): void => void archive.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    for await (const entry of archive) {
      const { name, type, size, mode } = checked(file, entry.header);
      if (type !== 'file') throw noBackup(file);
      yield {
        path: name,
        bytes: size,
        mode,
        chunks: withFaults(entry, (error) => readingFault(error, file, signal)),
      };
      // The archive continues only after the entry was read completely.
      entry.resume();
    }
    await fed;
    await read;
  } catch (error) {
    throw readingFault(error, file, signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
    source.destroy();
  }
}

// The archive library collects a whole extended header before it uses it, and a few compressed bytes can expand to
// gigabytes.
function createHeaderLimit(file: string) {
  let done = 0;
  let end = MAX_BYTES_BETWEEN;
  return {
    /** Allows the content of a file whose header was just read, and the headers after it. */
    extend(size: number): void {
      end = Math.max(end, done + size + MAX_BYTES_BETWEEN);
    },
    async *count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        done += chunk.length;
        if (done > end) throw noBackup(file);
        yield chunk;
      }
    },
  };
}

// An error of the archive also ends the reading of the current file.
async function* withFaults(
  chunks: AsyncIterable<Buffer>,
  faultOf: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    throw faultOf(error);
  }
}

function checked(file: string, { name, type, size, mode = 0 }: Headers) {
  if (name !== MANIFEST && !isPlaced(name)) {
    throw new BackupError(
      'invalid_backup',
      `${file} contains an unexpected file: ${name}. Nothing was restored.`,
    );
  }
  // The archive library would wait forever for the end of a file with an invalid or negative size.
  if (!Number.isSafeInteger(size) || (size ?? 0) < 0) throw noBackup(file);
  return { name, type, size: size ?? 0, mode: (mode & 0o777) | 0o600 };
}

function readingFault(error: unknown, file: string, signal: AbortSignal): unknown {
  if (error instanceof BackupError || signal.aborted) return error;
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
    return new BackupError('invalid_backup', `${file} does not exist.`);
  }
  const fault = diskFaultOf(error);
  return fault === null
    ? noBackup(file)
    : new BackupError('invalid_backup', `${file}: ${fault.sentence}`);
}

/** A complete backup. */
export interface Verified {
  readonly manifest: Manifest;
  /** The text of its configuration; null if it has none. */
  readonly config: string | null;
}

/**
 * Reads a whole backup, and compares each file with the manifest.
 *
 * @throws BackupError if files are missing, different or additional
 */
export async function verifyArchive(file: string, signal: AbortSignal): Promise<Verified> {
  const found = new Map<string, BackedUpFile>();
  const texts = new Map<string, Buffer>();
  let listed = 0;
  for await (const { path, bytes, chunks } of readArchive(file, signal)) {
    if (texts.has(MANIFEST) || found.has(path)) throw noBackup(file);
    // More files than the largest manifest can list.
    listed += Buffer.byteLength(path) + LISTED_BESIDE_PATH;
    if (listed > MAX_TEXT_BYTES) throw noBackup(file);
    if (path !== MANIFEST && (path !== CONFIG || bytes > MAX_CONFIG_BYTES)) {
      found.set(path, { path, bytes, sha256: await hashOf(chunks) });
      continue;
    }
    const text = await wholeOf(bytes, chunks, file);
    texts.set(path, text);
    if (path === CONFIG)
      found.set(path, { path, bytes, sha256: await hashOf(Readable.from([text])) });
  }
  const stated = texts.get(MANIFEST);
  if (stated === undefined)
    throw new BackupError('invalid_backup', `${file} is incomplete: it was truncated.`);
  const manifest = parseManifest(stated.toString('utf8'), file);
  compare(manifest, found, file);
  return { manifest, config: texts.get(CONFIG)?.toString('utf8') ?? null };
}

function compare(
  { files, database }: Manifest,
  found: ReadonlyMap<string, BackedUpFile>,
  file: string,
): void {
  for (const { path, bytes, sha256 } of files) {
    const there = found.get(path);
    if (there?.bytes === bytes && there.sha256 === sha256) continue;
    const what = there === undefined ? 'is missing' : 'does not match its checksum';
    throw new BackupError('invalid_backup', `${file} is damaged: ${path} ${what}.`);
  }
  const isWhole = found.has(DATABASE) === (database === 'file');
  if (found.size !== files.length || !isWhole) throw noBackup(file);
}

async function wholeOf(
  bytes: number,
  chunks: AsyncIterable<Buffer>,
  file: string,
): Promise<Buffer> {
  if (bytes > MAX_TEXT_BYTES) {
    throw new BackupError(
      'invalid_backup',
      `${file} has a ${MANIFEST} of more than 64 MiB. Nothing was restored.`,
    );
  }
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** SHA-256 in hexadecimal digits. */
export async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** Creates a file that only its owner can read and write, replacing one from an earlier attempt. */
export async function openNew(path: string): Promise<FileHandle> {
  await rm(path, { force: true });
  return open(path, 'wx', 0o600);
}
