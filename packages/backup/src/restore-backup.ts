import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createSystemClock, diskFaultOf, isoTime, SvcError } from '@svc/core';
import { syncFolder } from '@svc/projects';
import { examineFile, type NewChange, openStore, type PausedAll, withoutSignIns } from '@svc/store';
import { type Entry, readArchive, verifyArchive } from './archive.ts';
import { BackupError } from './errors.ts';
import type { LeftOut } from './left-out.ts';
import { DATABASE, MANIFEST, type Manifest, STAGED_FOLDER } from './manifest.ts';
import type { Progress } from './report.ts';
import {
  impossibleOf,
  makeFolder,
  moveIntoPlace,
  projectsTargetIn,
  requireNoConflicts,
  requireOwnFolder,
} from './restore-target.ts';

/** Paths in a configuration that are not part of a backup. */
export interface ConfigReferences {
  readonly projectsDir: string | null;
  /** Files with secrets, with the required mode if there is one. */
  readonly secretFiles: readonly string[];
}

/** What to restore, and where to. */
export interface RestoreOptions {
  /** The folder of the home. */
  readonly root: string;
  /** Absolute path of the backup. */
  readonly file: string;
  /** Version of svc. */
  readonly version: string;
  /** Reserves the home for this process. */
  readonly takeLock: () => Promise<{ release(): Promise<void> }>;
  /** The file of that lock, which a failed restore removes with the folders it created. */
  readonly lockFile: string;
  /** Reads the text of the configuration in the backup; null: it has none. */
  readonly readConfig: (text: string | null) => ConfigReferences;
  /** Who pauses all triggers; null: they are not paused. */
  readonly pausedBy: PausedAll['by'] | null;
  readonly progress: Progress;
  /** Aborts the restore; nothing is left behind. */
  readonly signal: AbortSignal;
}

/** A home that was restored. */
export interface Restored {
  readonly home: string;
  /** Time of the backup. */
  readonly createdAt: string;
  readonly database: Manifest['database'];
  readonly projects: number;
  readonly projectsFolder: string;
  /** The projects folder in the configuration, if it is outside the home; otherwise null. */
  readonly projectsNamed: string | null;
  /** Names of environment variables in the files. */
  readonly variables: readonly string[];
  /** Files with secrets that the configuration refers to. */
  readonly secretFiles: readonly string[];
  /** Files that the backup does not include, and files that cannot be created here, with the reason. */
  readonly leftOut: readonly LeftOut[];
  readonly paused: boolean;
}

/**
 * Creates a home from a backup after verifying it.
 *
 * @throws BackupError
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { root, file, signal } = options;
  const { manifest, config } = await verifyArchive(file, signal);
  const named = options.readConfig(config);
  const projects = projectsTargetIn(root, named.projectsDir);
  const impossible = await requireNoConflicts(root, projects, manifest);
  const made: string[] = [];
  try {
    await makeFolder(root, made);
    await withLock(options, async () => {
      await unpackAll(options, { manifest, impossible });
      signal.throwIfAborted();
      const gathered = manifest.files.filter(({ path }) => !impossible.has(path));
      await moveIntoPlace(root, projects, gathered);
    });
    await syncFolder(dirname(root));
  } catch (error) {
    if (made.includes(root)) await rm(options.lockFile, { force: true });
    for (const folder of made.reverse()) await rmdir(folder).catch(() => {});
    throw restoringFault(error, root);
  }
  const { createdAt, database, files, variables } = manifest;
  const unrestored = [...impossible].map((path) => ({ path, reason: 'name' as const }));
  const leftOut = [...unrestored, ...(manifest.leftOut ?? [])];
  return {
    ...{ home: root, createdAt, database, variables, secretFiles: named.secretFiles, leftOut },
    projects: files.filter(({ path }) => /^projects\/[^/]+\/project\.yaml$/.test(path)).length,
    ...{ projectsFolder: projects.folder, projectsNamed: projects.named },
    paused: database === 'file' && options.pausedBy !== null,
  };
}

async function withLock(
  { root, takeLock }: RestoreOptions,
  work: () => Promise<void>,
): Promise<void> {
  const lock = await takeLock();
  const staged = join(root, STAGED_FOLDER);
  try {
    const isFirst = await createStagingFolder(staged);
    try {
      await work();
    } catch (error) {
      await (isFirst ? rm(staged, { recursive: true, force: true }) : emptyFolder(staged));
      throw error;
    }
    await rm(staged, { recursive: true, force: true });
  } finally {
    await lock.release();
  }
}

// While this folder exists, the home cannot be used, so it is created first. After a restore was killed, it stays until another
// one succeeds, because some files may already be in place.
async function createStagingFolder(staged: string): Promise<boolean> {
  const isFirst = await mkdir(staged, { mode: 0o700 }).then(
    () => true,
    async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      await requireOwnFolder(staged);
      return false;
    },
  );
  await syncFolder(dirname(staged));
  await emptyFolder(staged);
  return isFirst;
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}

interface Unpacking {
  readonly manifest: Manifest;
  /** Paths that cannot be created; extended during the restore. */
  readonly impossible: Set<string>;
}

async function unpackAll(
  options: RestoreOptions,
  { manifest, impossible }: Unpacking,
): Promise<void> {
  const { root, file, progress, signal } = options;
  const staged = join(root, STAGED_FOLDER);
  const onUnpacked = progress('Unpacking the database');
  await mkdir(join(staged, 'data'), { mode: 0o700 });
  const expected = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  const folders = new Set([join(staged, 'data')]);
  const unsynced: string[] = [];
  for await (const entry of readArchive(file, signal)) {
    if (entry.path === MANIFEST || impossible.has(entry.path)) continue;
    const target = join(staged, entry.path);
    const onWritten = entry.path === DATABASE ? onUnpacked : () => {};
    const handle = await create(entry, target, folders);
    if (handle === 'impossible') {
      impossible.add(entry.path);
      continue;
    }
    if ((await unpack(entry, handle, onWritten)) !== expected.get(entry.path)) {
      throw new BackupError('invalid_backup', `${file} changed while it was being read.`);
    }
    if (unsynced.push(target) >= SYNCED_AT_ONCE) await syncFiles(unsynced.splice(0));
  }
  await syncFiles(unsynced);
  // Marks the home as used with a database server: with a new embedded database, all triggers would fire again.
  if (manifest.database === 'postgres') {
    await writeFile(join(staged, 'data', 'node.json'), '{}\n', { mode: 0o600 });
  }
  if (manifest.database === 'file')
    await prepareDatabase(options, join(staged, DATABASE), manifest);
  for (const folder of folders) {
    signal.throwIfAborted();
    await syncFolder(folder);
  }
}

async function create(
  { path, mode }: Entry,
  target: string,
  folders: Set<string>,
): Promise<FileHandle | 'impossible'> {
  const folder = dirname(target);
  try {
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    const handle = await open(target, 'wx', 0o600);
    // The configuration may contain a password, and scripts must stay executable.
    if (!path.startsWith('data/')) await handle.chmod(mode).catch(() => {});
    return handle;
  } catch (error) {
    return impossibleOf(error, path);
  }
}

async function unpack(
  { bytes, chunks }: Entry,
  handle: FileHandle,
  onUnpacked: ReturnType<Progress>,
): Promise<string> {
  const hash = createHash('sha256');
  let done = 0;
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      await handle.writeFile(chunk);
      done += chunk.length;
      onUnpacked(done, bytes);
    }
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

// Files are synced in groups, because a disk syncs many files in nearly the time of one.
const SYNCED_AT_ONCE = 64;

async function syncFiles(files: readonly string[]): Promise<void> {
  const sync = async (file: string): Promise<void> => {
    const handle = await open(file, 'r');
    await handle.sync().finally(() => handle.close());
  };
  await Promise.all(files.map(sync));
}

/** Migrates the database to this version, and pauses all triggers if requested. */
async function prepareDatabase(
  { version, pausedBy }: RestoreOptions,
  database: string,
  { createdAt, svc }: Manifest,
): Promise<void> {
  const { fault, isNewer } = examineFile(database);
  if (fault !== null)
    throw new BackupError('invalid_backup', `The database in the backup is damaged (${fault}).`);
  if (isNewer) {
    throw new BackupError(
      'invalid_backup',
      `The database in the backup was written by a newer version of svc (${svc}). Restore it with that version.`,
    );
  }
  withoutSignIns(database);
  const clock = createSystemClock();
  const store = await openStore({ clock }, { file: database, version });
  try {
    if (pausedBy === null) return;
    const at = isoTime(clock.now());
    const reason = `Restored from a backup of ${createdAt}.`;
    const pause = { by: pausedBy, at, reason };
    await store.pausing.setAll(pause, pauseChange(pause));
  } finally {
    await store.close();
  }
}

function pauseChange({ by, at, reason }: PausedAll & { readonly reason: string }): NewChange {
  return {
    ...{ kind: 'paused', at, reason, by, via: 'cli', sessionId: null },
    ...{ project: null, source: null, trigger: null },
    ...{ writtenAt: null, fields: [], standing: null, anchor: null },
  };
}

function restoringFault(error: unknown, root: string): unknown {
  if (error instanceof SvcError) return error;
  const fault = diskFaultOf(error);
  if (fault === null) return error;
  return new BackupError('failed', `${root} was not restored. ${fault.sentence}`);
}
