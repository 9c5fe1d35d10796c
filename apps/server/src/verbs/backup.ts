import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CommandError, type ExitCode, oneLine, printResult } from '@svc/cli';
import { diskFaultOf, isoTime } from '@svc/core';
import { syncFolder } from '@svc/projects';
import { secretsOfAddress } from '@svc/settings';
import { type Content, openNew, writeArchive } from '../backup/archive.ts';
import { copyDatabase, type DatabasePart } from '../backup/database-part.ts';
import { emptyPacked, filesOf, type Packed } from '../backup/home-files.ts';
import { type LeftOut, leftOutLines } from '../backup/left-out.ts';
import { DATABASE, type Manifest, manifestOf } from '../backup/manifest.ts';
import { inSize, progressOn, untilStopped } from '../backup/progress.ts';
import { type Home, requireHome } from '../home.ts';
import { readInstanceFile } from '../instance-file.ts';
import { homeInUse, requireUnshared } from '../shared-home.ts';
import type { VerbContext } from '../verb-context.ts';

/** Writes a backup of the database, the configuration and the project definitions to one file. */
export async function backupVerb(context: VerbContext): Promise<ExitCode> {
  const [name = ''] = context.arguments;
  const file = resolve(name);
  await requireRoomFor(file, context.options['force'] === true);
  const home = await homeInUse(context.home);
  if ((await readInstanceFile(home.instanceFile)) === null) {
    await requireUnshared(home, context.settings);
  }
  await requireHome(home);
  const placed = { ...context, home };
  const result = await untilStopped(context, (signal) => write(placed, file, signal));
  printResult(context, result, linesOf(context, result));
  return 0;
}

interface BackupResult {
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

async function write(
  context: VerbContext,
  file: string,
  signal: AbortSignal,
): Promise<BackupResult> {
  // A unique name, because several backups may be written to the same target at once.
  const staged = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const database = `${staged}-database`;
  const spool = `${staged}-file`;
  try {
    const createdAt = isoTime(Date.now());
    await rm(database, { force: true });
    const onCopied = progressOn(context.terminal, 'Copying the database');
    const part = await copyDatabase(context, database, { onCopied, signal });
    const packed = emptyPacked();
    const manifest = await pack(context, {
      ...{ staged, database, spool, createdAt, part, packed, signal },
    });
    const { size: bytes } = await stat(staged);
    await rename(staged, file);
    await syncFolder(dirname(file));
    const { schema, files, variables } = manifest;
    const { projects, leftOut } = packed;
    const passedOver = leftOut.map(({ path }) => placeOf(context.home, path));
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

function placeOf({ projects, root }: Home, path: string): string {
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
  readonly signal: AbortSignal;
}

async function pack(context: VerbContext, packing: Packing): Promise<Manifest> {
  const { staged, database, spool, createdAt, part, packed, signal } = packing;
  const { home, version, terminal } = context;
  let manifest: Manifest | null = null;
  const handle = await openNew(staged);
  try {
    const onPacked = progressOn(terminal, 'Packing the database');
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
  onPacked: (done: number, of: number) => void,
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
  if (code === 'ENOENT') return new CommandError(`The folder ${dirname(file)} does not exist.`);
  const fault = diskFaultOf(error);
  return fault === null ? error : new CommandError(`${file} was not written. ${fault.sentence}`);
}

function linesOf(context: VerbContext, result: BackupResult): string[] {
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

function inDatabase({ database, createdAt }: BackupResult): string {
  if (database === 'file') return `the database as of ${createdAt}`;
  return database === 'none' ? 'no database (not created yet)' : 'no database';
}

async function requireRoomFor(file: string, force: boolean): Promise<void> {
  const there = await lstat(file).catch(() => null);
  if (there === null) return;
  if (!force) {
    throw new CommandError(`${file} already exists. Choose another file, or use --force.`);
  }
  if (!there.isFile())
    throw new CommandError(`${file} is not a regular file, so a backup cannot replace it.`);
}
