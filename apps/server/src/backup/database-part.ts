import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CommandError, fetchFrom } from '@svc/cli';
import { createSystemClock, silentLogger } from '@svc/core';
import { createFileLocks } from '@svc/projects';
import { examineFile, openClosed, withoutSignIns } from '@svc/store';
import { DATABASE_PATH } from '../database-route.ts';
import { takeHomeLock } from '../home-lock.ts';
import { peerOf } from '../home-server.ts';
import { type InstanceFile, namingOwner, readInstanceFile } from '../instance-file.ts';
import type { VerbContext } from '../verb-context.ts';
import type { DatabasePlace } from './manifest.ts';

/** The database part of a backup. */
export interface DatabasePart {
  readonly place: DatabasePlace;
  readonly schema: string | null;
  readonly bytes: number;
}

/** Reports the progress of a copy, in bytes. */
export type OnCopied = (done: number, of: number) => void;

/**
 * Copies a snapshot of the database of a home to a file, without sign-in sessions: from the running server, which has
 * exclusive access, or, if none is running, from the file.
 */
export async function copyDatabase(
  context: VerbContext,
  file: string,
  parts: { readonly onCopied: OnCopied; readonly signal: AbortSignal },
): Promise<DatabasePart> {
  const { home, settings } = context;
  const instance = await readInstanceFile(home.instanceFile);
  const place =
    instance === null && settings.database.url !== null
      ? 'postgres'
      : instance === null
        ? await copyClosed(context, file, parts)
        : await copyFrom(instance, file, parts);
  if (place !== 'file') return { place, schema: null, bytes: 0 };
  withoutSignIns(file);
  const { fault, schema } = examineFile(file);
  if (fault !== null) {
    throw new CommandError(`The database is damaged (${fault}). No backup was written.`);
  }
  return { place, schema, bytes: (await stat(file)).size };
}

interface CopyParts {
  readonly onCopied: OnCopied;
  readonly signal: AbortSignal;
}

async function copyFrom(
  instance: InstanceFile,
  file: string,
  { onCopied, signal }: CopyParts,
): Promise<DatabasePlace> {
  const request = new Request(new URL(DATABASE_PATH, instance.url));
  const answer = await fetchFrom(peerOf(instance), request, signal).catch((cause: unknown) => {
    throw new CommandError(`The server at ${instance.url} does not answer.`, { cause });
  });
  if (answer.status === 200 && answer.body !== null) {
    const bytes = Number(answer.headers.get('content-length'));
    await write(answer.body, file, bytes, { onCopied, signal });
    return 'file';
  }
  const { error, code } = (await answer.json()) as {
    readonly error?: string;
    readonly code?: string;
  };
  if (code === 'database_elsewhere') return 'postgres';
  throw new CommandError(error ?? `The server answered ${answer.status}.`);
}

async function copyClosed(
  { home }: VerbContext,
  file: string,
  parts: CopyParts,
): Promise<DatabasePlace> {
  if (!(await isThere(home.database))) return 'none';
  const locks = createFileLocks({ clock: createSystemClock() });
  const lock = await takeHomeLock({ locks, logger: silentLogger }, home).catch(async (error) => {
    throw await namingOwner(home, error);
  });
  try {
    const copy = await openClosed(home.database);
    try {
      await write(copy.chunks, file, copy.bytes, parts);
    } finally {
      await copy.close();
    }
    return 'file';
  } finally {
    await lock.release();
  }
}

async function write(
  from: AsyncIterable<Uint8Array>,
  file: string,
  bytes: number,
  { onCopied, signal }: CopyParts,
): Promise<void> {
  let done = 0;
  async function* counted() {
    for await (const chunk of from) {
      done += chunk.length;
      onCopied(done, bytes);
      yield chunk;
    }
  }
  const to = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await pipeline(counted, to, { signal }).catch((cause: NodeJS.ErrnoException) => {
    if (signal.aborted || cause.code !== 'ECONNRESET') throw cause;
    throw new CommandError('The server stopped before the whole database was copied.', { cause });
  });
  if (done !== bytes) throw new CommandError('The database was copied only in part. Try again.');
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
