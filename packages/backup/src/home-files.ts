import { constants, createReadStream, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, opendir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type OpenFolder, openFolder } from '@svc/projects';
import type { Content } from './archive.ts';
import { type Bounds, createBounds, type LeftOut, type LeftOutReason } from './left-out.ts';
import { isPlaced } from './manifest.ts';

/** The folders of a home, and its configuration file. */
export interface HomeFolders {
  readonly root: string;
  readonly projects: string;
  readonly data: string;
  readonly config: string;
}

/** Results of packing the files of a home. */
export interface Packed {
  projects: number;
  /** Names of environment variables in the files. */
  readonly variables: Set<string>;
  readonly leftOut: LeftOut[];
}

export const emptyPacked = (): Packed => ({ projects: 0, variables: new Set(), leftOut: [] });

interface Packing {
  readonly packed: Packed;
  readonly bounds: Bounds;
  /** A temporary file for content that is too large for memory, used for one file at a time. */
  readonly spool: string;
}

/**
 * The files of a home in a backup besides the database: the configuration, and for each project its `project.yaml`,
 * `.svc/` and the last valid version. The projects folder, the project folders and the configuration may be links made
 * by the operator. Below a project folder, where agents and repositories write, links are not followed.
 */
export async function* filesOf(
  home: HomeFolders,
  packed: Packed,
  spool: string,
): AsyncGenerator<Content> {
  const packing = { packed, bounds: createBounds(), spool };
  const config = await realpath(home.config).catch(() => home.config);
  yield* one(packing, config, 'svc.config.yaml');
  for (const slug of (await readdir(home.projects)).sort()) {
    if (!isPlaced(`projects/${slug}/project.yaml`)) continue;
    const folder = await openProject(join(home.projects, slug));
    if (folder === null) continue;
    packing.bounds.beginProject();
    try {
      yield* project(packing, folder, `projects/${slug}`);
    } finally {
      await folder.close();
    }
    const lastGood = join(home.data, 'last-good', `${slug}.yaml`);
    yield* one(packing, lastGood, `data/last-good/${slug}.yaml`);
  }
}

// null if it is not a project: it has no project.yaml of any kind.
async function openProject(path: string): Promise<OpenFolder | null> {
  const folder = await realpath(path)
    .then(openFolder)
    .catch(() => null);
  if (folder === null) return null;
  const isProject = await lstat(join(folder.path, 'project.yaml')).then(
    () => true,
    () => false,
  );
  if (isProject) return folder;
  await folder.close();
  return null;
}

async function* project(
  packing: Packing,
  folder: OpenFolder,
  path: string,
): AsyncGenerator<Content> {
  const { leftOut } = packing.packed;
  const before = leftOut.length;
  yield* one(packing, join(folder.path, 'project.yaml'), `${path}/project.yaml`);
  if (leftOut.length === before) packing.packed.projects += 1;
  yield* below(packing, folder, { name: '.svc', path: `${path}/.svc`, level: 1 });
}

interface Below {
  readonly name: string;
  readonly path: string;
  readonly level: number;
}

async function* below(
  packing: Packing,
  parent: OpenFolder,
  { name, path, level }: Below,
): AsyncGenerator<Content> {
  const { leftOut } = packing.packed;
  const folder = await parent
    .child(name)
    .catch((error) => reasonOf(error, join(parent.path, name)));
  if (typeof folder === 'string') leftOut.push({ path, reason: folder });
  if (folder === null || typeof folder === 'string') return;
  try {
    for (const entry of await entriesIn(packing, folder, path)) {
      const to = `${path}/${entry.name}`;
      const reason = isPlaced(to) ? kindOf(packing, entry, { path: to, level }) : 'name';
      if (reason !== null) leftOut.push({ path: to, reason });
      else if (entry.isDirectory()) {
        yield* below(packing, folder, { name: entry.name, path: to, level: level + 1 });
      } else yield* one(packing, join(folder.path, entry.name), to);
    }
  } finally {
    await folder.close();
  }
}

function kindOf(
  { bounds }: Packing,
  entry: Dirent,
  { path, level }: Omit<Below, 'name'>,
): LeftOutReason | null {
  if (entry.isSymbolicLink()) return 'link';
  if (bounds.isTooLong(path)) return 'too_long';
  if (entry.isDirectory()) return bounds.isTooDeep(level + 1) ? 'too_deep' : null;
  return entry.isFile() ? null : 'special';
}

async function entriesIn(
  { packed, bounds }: Packing,
  folder: OpenFolder,
  path: string,
): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder.path)) {
      if (!bounds.lists(`${path}/${entry.name}`)) {
        packed.leftOut.push({ path, reason: 'too_many' });
        break;
      }
      entries.push(entry);
    }
  } catch (error) {
    const reason = await reasonOf(error, folder.path);
    if (reason !== null) packed.leftOut.push({ path, reason });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const REFERENCE = /\benv:([A-Za-z_][A-Za-z0-9_]*)/g;
// svc itself reads no larger files.
const MAX_IN_MEMORY = 1024 * 1024;

// A file that disappeared in the meantime is skipped.
async function* one(packing: Packing, file: string, path: string): AsyncGenerator<Content> {
  const { packed, bounds } = packing;
  const read = await readOne(file, bounds.bytesLeft, packing.spool).catch((error) =>
    reasonOf(error, file),
  );
  if (typeof read === 'string') packed.leftOut.push({ path, reason: read });
  if (read === null || typeof read === 'string') return;
  bounds.take(read.bytes);
  if (path.endsWith('.yaml') && read.whole !== null) {
    for (const [, name = ''] of read.whole.toString('utf8').matchAll(REFERENCE)) {
      if (!packed.variables.has(name) && bounds.lists(name)) packed.variables.add(name);
    }
  }
  const { whole, bytes, mode } = read;
  const chunks = () => (whole === null ? createReadStream(packing.spool) : Readable.from([whole]));
  yield { path, bytes, mode, chunks };
}

interface Read {
  readonly bytes: number;
  readonly mode: number;
  /** The content; null if it is in the temporary file. */
  readonly whole: Buffer | null;
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// A file may be replaced or grow while it is read, so its size in the archive is only known afterwards.
async function readOne(file: string, most: number, spool: string): Promise<Read | LeftOutReason> {
  const handle = await open(file, FLAGS);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return 'special';
    if (stats.size > most) return 'too_large';
    const mode = stats.mode & 0o777;
    const whole = await readWhole(handle, Math.min(stats.size, MAX_IN_MEMORY));
    if (whole !== null && whole.length <= most) return { bytes: whole.length, mode, whole };
    const bytes = await putAside(handle, most, spool);
    return bytes === null ? 'too_large' : { bytes, mode, whole: null };
  } finally {
    await handle.close();
  }
}

// null if it now has more bytes than the maximum.
async function readWhole(handle: FileHandle, size: number): Promise<Buffer | null> {
  const room = Buffer.allocUnsafe(size + 1);
  let done = 0;
  for (let last = -1; last !== 0 && done < room.length; ) {
    last = (await handle.read(room, done, room.length - done, done)).bytesRead;
    done += last;
  }
  return done > size ? null : room.subarray(0, done);
}

async function putAside(from: FileHandle, most: number, spool: string): Promise<number | null> {
  const to = await open(spool, 'w', 0o600).catch(ofBackup);
  try {
    const chunk = Buffer.allocUnsafe(MAX_IN_MEMORY);
    for (let done = 0; ; ) {
      const { bytesRead } = await from.read(chunk, 0, chunk.length, done);
      if (bytesRead === 0) return done;
      done += bytesRead;
      if (done > most) return null;
      await to.writeFile(chunk.subarray(0, bytesRead)).catch(ofBackup);
    }
  } finally {
    await to.close();
  }
}

/** A problem with the target of the backup, which ends it. */
class BackupFault extends Error {}

function ofBackup(cause: unknown): never {
  throw new BackupFault('The backup could not be written.', { cause });
}

// An unreadable file does not prevent the backup of others; null if it does not exist.
async function reasonOf(error: unknown, file: string): Promise<LeftOutReason | null> {
  if (error instanceof BackupFault) throw error.cause;
  const stats = await lstat(file).catch(() => null);
  // A file whose name is not UTF-8 cannot be found by its decoded name.
  if (stats === null) return file.includes('\uFFFD') ? 'name' : null;
  if (stats.isSymbolicLink()) return 'link';
  const { code } = error as NodeJS.ErrnoException;
  const isOther = code === 'ENOTDIR' || !(stats.isFile() || stats.isDirectory());
  return isOther ? 'special' : 'unreadable';
}
