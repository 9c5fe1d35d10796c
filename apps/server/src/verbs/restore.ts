import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CommandError, type ExitCode, oneLine, printResult, UsageError } from '@svc/cli';
import { createSystemClock, diskFaultOf, isoTime, SvcError, silentLogger } from '@svc/core';
import { USER } from '@svc/ops';
import { createFileLocks, syncFolder } from '@svc/projects';
import { resolveSettings } from '@svc/settings';
import { examineFile, type NewChange, openStore, type PausedAll, withoutSignIns } from '@svc/store';
import { type Entry, readArchive, verifyArchive } from '../backup/archive.ts';
import { type LeftOut, leftOutLines } from '../backup/left-out.ts';
import { DATABASE, MANIFEST, type Manifest } from '../backup/manifest.ts';
import { progressOn, untilStopped } from '../backup/progress.ts';
import {
  impossibleOf,
  makeFolder,
  moveIntoPlace,
  projectsTargetIn,
  requireNoConflicts,
  requireOwnFolder,
} from '../backup/restore-target.ts';
import { STAGED_FOLDER } from '../home.ts';
import { takeHomeLock } from '../home-lock.ts';
import type { VerbContext } from '../verb-context.ts';

/** Creates a home from a backup. */
export async function restoreVerb(context: VerbContext): Promise<ExitCode> {
  const [name = ''] = context.arguments;
  if (context.options['home'] === undefined) {
    throw new UsageError('restore needs --home: svc restore FILE --home NEW.');
  }
  const restored = await untilStopped(context, (signal) => restore(context, resolve(name), signal));
  printResult(context, restored, linesOf(restored));
  return 0;
}

interface Restored {
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

async function restore(context: VerbContext, file: string, signal: AbortSignal): Promise<Restored> {
  const { root } = context.home;
  const { manifest, config } = await verifyArchive(file, signal);
  const named = namedIn(config);
  const projects = projectsTargetIn(root, named.projectsDir);
  const impossible = await requireNoConflicts(root, projects, manifest);
  const made: string[] = [];
  try {
    await makeFolder(root, made);
    await withLock(context, async () => {
      await unpackAll(context, file, { manifest, impossible }, signal);
      signal.throwIfAborted();
      const gathered = manifest.files.filter(({ path }) => !impossible.has(path));
      await moveIntoPlace(root, projects, gathered);
    });
    await syncFolder(dirname(root));
  } catch (error) {
    if (made.includes(root)) await rm(context.home.lockFile, { force: true });
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
    paused: database === 'file' && context.options['resume'] !== true,
  };
}

async function withLock({ home }: VerbContext, work: () => Promise<void>): Promise<void> {
  const locks = createFileLocks({ clock: createSystemClock() });
  const lock = await takeHomeLock({ locks, logger: silentLogger }, home);
  const staged = join(home.root, STAGED_FOLDER);
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

/** Paths in the configuration that are not part of the backup. */
interface Named {
  readonly projectsDir: string | null;
  /** Files with secrets, with the required mode if there is one. */
  readonly secretFiles: readonly string[];
}

// Errors in the configuration are reported by the next start.
function namedIn(config: string | null): Named {
  const resolved = resolveSettings({ flags: {}, env: {}, file: config });
  if (!resolved.ok) return { projectsDir: null, secretFiles: [] };
  const { projects, envFile, server } = resolved.settings;
  const { tls } = server;
  const envFiles = envFile === null ? [] : [`${envFile} (mode 600)`];
  const tlsFiles = tls === null ? [] : [tls.certFile, tls.keyFile];
  return { projectsDir: projects.dir, secretFiles: [...envFiles, ...tlsFiles] };
}

interface Unpacking {
  readonly manifest: Manifest;
  /** Paths that cannot be created; extended during the restore. */
  readonly impossible: Set<string>;
}

async function unpackAll(
  context: VerbContext,
  file: string,
  { manifest, impossible }: Unpacking,
  signal: AbortSignal,
): Promise<void> {
  const staged = join(context.home.root, STAGED_FOLDER);
  const onUnpacked = progressOn(context.terminal, 'Unpacking the database');
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
      throw new CommandError(`${file} changed while it was being read.`);
    }
    if (unsynced.push(target) >= SYNCED_AT_ONCE) await syncFiles(unsynced.splice(0));
  }
  await syncFiles(unsynced);
  // Marks the home as used with a database server: with a new embedded database, all triggers would fire again.
  if (manifest.database === 'postgres') {
    await writeFile(join(staged, 'data', 'node.json'), '{}\n', { mode: 0o600 });
  }
  if (manifest.database === 'file')
    await prepareDatabase(context, join(staged, DATABASE), manifest);
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
  onUnpacked: (done: number, of: number) => void,
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

/** Migrates the database to this version, and pauses all triggers unless `--resume` is given. */
async function prepareDatabase(
  { version, options }: VerbContext,
  database: string,
  { createdAt, svc }: Manifest,
): Promise<void> {
  const { fault, isNewer } = examineFile(database);
  if (fault !== null) throw new CommandError(`The database in the backup is damaged (${fault}).`);
  if (isNewer) {
    throw new CommandError(
      `The database in the backup was written by a newer version of svc (${svc}). Restore it with that version.`,
    );
  }
  withoutSignIns(database);
  const clock = createSystemClock();
  const store = await openStore({ clock }, { file: database, version });
  try {
    if (options['resume'] === true) return;
    const at = isoTime(clock.now());
    const reason = `Restored from a backup of ${createdAt}.`;
    const pause = { by: USER.actor.kind, at, reason };
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
  return new CommandError(`${root} was not restored. ${fault.sentence}`);
}

function linesOf({ home, createdAt, ...restored }: Restored): string[] {
  const { database, projects, projectsFolder, projectsNamed, paused } = restored;
  const { variables, secretFiles, leftOut } = restored;
  const what = `${projects} ${projects === 1 ? 'project' : 'projects'}`;
  return [
    `Restored ${home} as of ${createdAt}: ${what} in ${projectsFolder}.`,
    ...(database === 'postgres' ? [ELSEWHERE] : []),
    ...(projectsNamed === null ? [] : [namedElsewhere(projectsNamed, projectsFolder)]),
    'Copy other project files and secrets yourself.',
    ...(secretFiles.length === 0
      ? []
      : [`Files that svc needs to start: ${secretFiles.map(oneLine).join(', ')}.`]),
    ...(variables.length === 0
      ? []
      : [`Environment variables that the configuration needs: ${variables.join(', ')}.`]),
    ...leftOutLines(leftOut, oneLine),
    ...(database === 'none' ? [] : [SAME_ID]),
    ...(database === 'file' ? [paused ? PAUSED : RESUMED] : []),
    `Start it with: svc serve --home ${home}`,
  ];
}

const SAME_ID =
  'It has the same id as the original home, so its tokens stay valid. Run only one of the two.';
const ELSEWHERE =
  'Its database is on a PostgreSQL server and not in the backup. Restore it with pg_restore, then run svc pause.';
const PAUSED =
  'All triggers are paused until svc resume, because runs since the backup are unknown. Skipped slots will not run later.';
const RESUMED =
  'Triggers are not paused. Slots since the backup count as missed; with catchUp the newest one runs, even if it already ran.';

function namedElsewhere(named: string, folder: string): string {
  return `projects.dir is ${named}, outside the home, and was not changed. Copy the projects there from ${folder}, or remove projects.dir.`;
}
