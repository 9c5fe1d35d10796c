import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFaultOf, isoTime } from '@svc/core';
import { syncFolder } from '@svc/projects';
import { type Content, openNew, writeArchive } from './archive.ts';
import { copyDatabase, type DatabasePart, type DatabaseSource } from './database-copy.ts';
import { BackupError } from './errors.ts';
import { emptyPacked, filesOf, type HomeFolders, type Packed } from './home-files.ts';
import type { LeftOut } from './left-out.ts';
import { DATABASE, type DatabasePlace, type Manifest, manifestOf } from './manifest.ts';
import type { Progress } from './report.ts';

/** What to back up, and where to. */
export interface BackupOptions {
  readonly home: HomeFolders;
  /** Absolute path of the file to write; an existing one is replaced. */
  readonly file: string;
  /** Version of svc. */
  readonly version: string;
  /** Opens a copy of the database, unless it is on a server or there is none. */
  readonly openDatabase: () => Promise<DatabaseSource | Exclude<DatabasePlace, 'file'>>;
  readonly progress: Progress;
  /** Aborts the backup; nothing is left behind. */
  readonly signal: AbortSignal;
}

/** A backup that was written. */
export interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly createdAt: string;
  readonly database: Manifest['database'];
  readonly schema: string | null;
  readonly files: number;
  readonly projects: number;
  /** Names of environment variables in the files, whose values the user must back up. */
  readonly variables: readonly string[];
  /** Omitted files, and why. */
  readonly leftOut: readonly LeftOut[];
  /** The omitted files as paths on this machine. */
  readonly passedOver: readonly string[];
}

/**
 * Writes a backup of the database, the configuration and the project definitions to one file.
 *
 * @throws BackupError
 */
export async function writeBackup(options: BackupOptions): Promise<Backup> {
  const { file, home, signal } = options;
  // A unique name, because several backups may be written to the same target at once.
  const staged = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const database = `${staged}-database`;
  const spool = `${staged}-file`;
  try {
    const createdAt = isoTime(Date.now());
    await rm(database, { force: true });
    const onCopied = options.progress('Copying the database');
    const part = await copyDatabase(await options.openDatabase(), database, { onCopied, signal });
    const packed = emptyPacked();
    const manifest = await pack(options, {
      ...{ staged, database, spool, createdAt, part, packed },
    });
    const { size: bytes } = await stat(staged);
    await rename(staged, file);
    await syncFolder(dirname(file));
    const { schema, files, variables } = manifest;
    const { projects, leftOut } = packed;
    const passedOver = leftOut.map(({ path }) => placeOf(home, path));
    return {
      ...{ file, bytes, createdAt, database: part.place, schema, files: files.length },
      ...{ projects, variables, leftOut, passedOver },
    };
  } catch (error) {
    throw writingFault(error, file);
  } finally {
    for (const left of [staged, database, `${database}-journal`, spool])
      await rm(left, { force: true });
  }
}

function placeOf({ projects, root }: HomeFolders, path: string): string {
  const below = /^projects\/(.*)$/s.exec(path)?.[1];
  return below === undefined ? join(root, path) : join(projects, below);
}

interface Packing {
  readonly staged: string;
  readonly database: string;
  readonly spool: string;
  readonly createdAt: string;
  readonly part: DatabasePart;
  readonly packed: Packed;
}

async function pack(options: BackupOptions, packing: Packing): Promise<Manifest> {
  const { staged, database, spool, createdAt, part, packed } = packing;
  const { home, version, progress, signal } = options;
  let manifest: Manifest | null = null;
  const handle = await openNew(staged);
  try {
    const onPacked = progress('Packing the database');
    await writeArchive(
      handle,
      allOf(filesOf(home, packed, spool), part, database, onPacked),
      (files) => {
        manifest = manifestOf({
          ...{ svc: version, createdAt, database: part.place, schema: part.schema },
          ...{ variables: [...packed.variables].sort(), files, leftOut: packed.leftOut },
        });
        return manifest;
      },
      signal,
    );
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (manifest === null) throw new Error('An archive ends with its manifest.');
  return manifest;
}

async function* allOf(
  files: AsyncIterable<Content>,
  { place, bytes }: DatabasePart,
  database: string,
  onPacked: ReturnType<Progress>,
): AsyncGenerator<Content> {
  yield* files;
  if (place !== 'file') return;
  async function* chunks() {
    let done = 0;
    for await (const chunk of createReadStream(database)) {
      done += (chunk as Buffer).length;
      onPacked(done, bytes);
      yield chunk as Buffer;
    }
  }
  yield { path: DATABASE, bytes, mode: 0o600, chunks };
}

function writingFault(error: unknown, file: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof BackupError) return error;
  if (code === 'ENOENT') {
    return new BackupError('failed', `The folder ${dirname(file)} does not exist.`);
  }
  const fault = diskFaultOf(error);
  return fault === null
    ? error
    : new BackupError('failed', `${file} was not written. ${fault.sentence}`);
}

/**
 * Ensures that a backup may be written to a file.
 *
 * @throws BackupError `conflict` if it exists, unless `force` is set and it is a regular file
 */
export async function requireRoomFor(file: string, force: boolean): Promise<void> {
  const there = await lstat(file).catch(() => null);
  if (there === null) return;
  if (!force) {
    throw new BackupError(
      'conflict',
      `${file} already exists. Choose another file, or use --force.`,
    );
  }
  if (!there.isFile())
    throw new BackupError(
      'conflict',
      `${file} is not a regular file, so a backup cannot replace it.`,
    );
}
