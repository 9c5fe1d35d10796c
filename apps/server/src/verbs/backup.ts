import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type Backup,
  type BackupOptions,
  type DatabaseSource,
  inSize,
  leftOutLines,
  progressOn,
  requireRoomFor,
  writeBackup,
} from '@svc/backup';
import { CommandError, type ExitCode, fetchFrom, oneLine, printResult } from '@svc/cli';
import { createSystemClock, silentLogger } from '@svc/core';
import { createFileLocks } from '@svc/projects';
import { secretsOfAddress } from '@svc/settings';
import { openClosed } from '@svc/store';
import { DATABASE_PATH } from '../database-route.ts';
import { type Home, requireHome } from '../home.ts';
import { takeHomeLock } from '../home-lock.ts';
import { peerOf } from '../home-server.ts';
import { type InstanceFile, namingOwner, readInstanceFile } from '../instance-file.ts';
import { homeInUse, requireUnshared } from '../shared-home.ts';
import type { VerbContext } from '../verb-context.ts';

/** Writes a backup of the database, the configuration and the project definitions to one file. */
export async function backupVerb(context: VerbContext): Promise<ExitCode> {
  const { settings, terminal, version } = context;
  const file = resolve(context.arguments[0] ?? '');
  await requireRoomFor(file, context.options['force'] === true);
  const home = await homeInUse(context.home);
  if ((await readInstanceFile(home.instanceFile)) === null) await requireUnshared(home, settings);
  await requireHome(home);
  const result = await untilStopped(context, (signal) => {
    const progress = (what: string) => progressOn(terminal, what);
    const openDatabase = () => openCopy(home, settings.database.url !== null, signal);
    return writeBackup({ home, file, version, openDatabase, progress, signal });
  });
  printResult(context, result, linesOf({ ...context, home }, result));
  return 0;
}

/** Runs work that is aborted and cleaned up when the process is asked to stop. */
export async function untilStopped<T>(
  { stopRequested }: Pick<VerbContext, 'stopRequested'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  void stopRequested.then(() => stop.abort());
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) throw new CommandError('Stopped. Nothing was written.');
    throw error;
  }
}

type Opened = ReturnType<BackupOptions['openDatabase']>;

// A running server has exclusive access to its database.
async function openCopy(home: Home, isShared: boolean, signal: AbortSignal): Opened {
  const instance = await readInstanceFile(home.instanceFile);
  if (instance !== null) return openCopyOf(instance, signal);
  if (isShared) return 'postgres';
  const isThere = await stat(home.database).then(
    () => true,
    () => false,
  );
  return isThere ? openClosedCopy(home) : 'none';
}

async function openCopyOf(instance: InstanceFile, signal: AbortSignal): Opened {
  const request = new Request(new URL(DATABASE_PATH, instance.url));
  const answer = await fetchFrom(peerOf(instance), request, signal).catch((cause: unknown) => {
    throw new CommandError(`The server at ${instance.url} does not answer.`, { cause });
  });
  if (answer.status === 200 && answer.body !== null) {
    const bytes = Number(answer.headers.get('content-length'));
    return { chunks: answer.body, bytes, close: async () => {} };
  }
  const { error, code } = (await answer.json()) as {
    readonly error?: string;
    readonly code?: string;
  };
  if (code === 'database_elsewhere') return 'postgres';
  throw new CommandError(error ?? `The server answered ${answer.status}.`);
}

async function openClosedCopy(home: Home): Promise<DatabaseSource> {
  const locks = createFileLocks({ clock: createSystemClock() });
  const lock = await takeHomeLock({ locks, logger: silentLogger }, home).catch(async (error) => {
    throw await namingOwner(home, error);
  });
  try {
    const { chunks, bytes, close } = await openClosed(home.database);
    return { chunks, bytes, close: () => close().finally(lock.release) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function linesOf(context: VerbContext, result: Backup): string[] {
  const { settings, home } = context;
  const { file, bytes, projects, variables, leftOut } = result;
  const { tls } = settings.server;
  const isOneValue = settings.envFile === null && tls === null && variables.length === 1;
  const secrets = [
    ...(settings.envFile === null ? [] : [`the variables in ${settings.envFile}`]),
    ...(tls === null ? [] : [`the key and certificate in ${tls.keyFile} and ${tls.certFile}`]),
    ...(variables.length === 0
      ? []
      : [`the ${variables.length === 1 ? 'value' : 'values'} of ${variables.join(', ')}`]),
  ];
  return [
    `Wrote ${file} (${inSize(bytes)}): ${inDatabase(result)}, svc.config.yaml, and project.yaml and .svc/ of ${projects} ${projects === 1 ? 'project' : 'projects'}.`,
    'Not included: other project files, secrets, login sessions, sessions of the claude runtime, logs.',
    ...(result.database === 'postgres' ? [ELSEWHERE] : []),
    ...(holdsPassword(context) ? [WITH_PASSWORD] : []),
    ...(secrets.length === 0
      ? []
      : [
          `Secrets are not in the backup. Save ${secrets.join('; ')} separately; you need ${isOneValue ? 'it' : 'them'} after a restore.`,
        ]),
    ...leftOutLines(leftOut, oneLine),
    `${result.database === 'file' ? 'It contains transcripts: store it where only you can read it. ' : ''}Restore it with: svc restore ${file} --home ${home.root}-restored`,
  ];
}

const ELSEWHERE =
  'The database is on a PostgreSQL server and not in this file. Back it up with pg_dump.';

const WITH_PASSWORD =
  'svc.config.yaml contains the password of database.url, and so does this file. To keep it out of both, use SVC_DATABASE_URL.';

function holdsPassword({ settings, sourced }: VerbContext): boolean {
  const { url } = settings.database;
  if (url === null || sourced.get('database.url')?.source !== 'file') return false;
  return secretsOfAddress(url).length > 0;
}

function inDatabase({ database, createdAt }: Backup): string {
  if (database === 'file') return `the database as of ${createdAt}`;
  return database === 'none' ? 'no database (not created yet)' : 'no database';
}
