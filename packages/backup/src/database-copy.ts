import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { examineFile, withoutSignIns } from '@svc/store';
import { BackupError } from './errors.ts';
import type { DatabasePlace } from './manifest.ts';
import type { Progress } from './report.ts';

/** A consistent copy of a database that is being read. */
export interface DatabaseSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly bytes: number;
  close(): Promise<void>;
}

/** The database part of a backup. */
export interface DatabasePart {
  readonly place: DatabasePlace;
  readonly schema: string | null;
  readonly bytes: number;
}

/** Writes a copy of a database to a file, without sign-in sessions. */
export async function copyDatabase(
  source: DatabaseSource | Exclude<DatabasePlace, 'file'>,
  file: string,
  { onCopied, signal }: { readonly onCopied: ReturnType<Progress>; readonly signal: AbortSignal },
): Promise<DatabasePart> {
  if (typeof source === 'string') return { place: source, schema: null, bytes: 0 };
  try {
    await write(source, file, onCopied, signal);
  } finally {
    await source.close();
  }
  withoutSignIns(file);
  const { fault, schema } = examineFile(file);
  if (fault !== null) {
    const message = `The database is damaged (${fault}). No backup was written.`;
    throw new BackupError('failed', message);
  }
  return { place: 'file', schema, bytes: (await stat(file)).size };
}

async function write(
  { chunks, bytes }: DatabaseSource,
  file: string,
  onCopied: ReturnType<Progress>,
  signal: AbortSignal,
): Promise<void> {
  let done = 0;
  async function* counted() {
    for await (const chunk of chunks) {
      done += chunk.length;
      onCopied(done, bytes);
      yield chunk;
    }
  }
  const to = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await pipeline(counted, to, { signal }).catch((cause: NodeJS.ErrnoException) => {
    if (signal.aborted || cause.code !== 'ECONNRESET') throw cause;
    const message = 'The server stopped before the whole database was copied.';
    throw new BackupError('failed', message, { cause });
  });
  if (done !== bytes) {
    throw new BackupError('failed', 'The database was copied only in part. Try again.');
  }
}
