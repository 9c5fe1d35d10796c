import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { syncFolder } from '@svc/projects';
import { STAGED_FOLDER } from '../home.ts';
import { CommandError } from '../terminal.ts';
import { hashOf } from './archive.ts';
import type { Manifest } from './manifest.ts';

/** Where the projects of a backup go, and whether its configuration names another folder, outside of the home. */
export interface ProjectsPlace {
  readonly folder: string;
  readonly named: string | null;
}

/** A folder that `projects.dir` names counts where it lies in the home: others may be those of a home that lives. */
export function projectsPlaceIn(root: string, dir: string | null): ProjectsPlace {
  const own = join(root, 'projects');
  if (dir === null) return { folder: own, named: null };
  const folder = resolve(root, dir);
  const path = relative(root, folder);
  const isInside = path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path);
  const isFree = !['data', STAGED_FOLDER, 'runtimes'].includes(path.split('/')[0] ?? '');
  return isInside && isFree ? { folder, named: null } : { folder: own, named: folder };
}

/** Where a file of a backup goes. */
function targetOf(root: string, projects: ProjectsPlace, path: string): string {
  const [first, ...rest] = path.split('/');
  return first === 'projects' ? join(projects.folder, ...rest) : join(root, path);
}

// What a stopped or a locked home has besides; they say nothing of whose it is.
const UNTOLD = ['.svc.lock', STAGED_FOLDER, 'lost+found'];

/**
 * Sees to it that nothing would be lost in a home. Returns the paths of the files that cannot be created in it.
 *
 * @throws CommandError where it has data, is something else than a home, or has other files where those of the backup go
 */
export async function requireRoom(
  root: string,
  projects: ProjectsPlace,
  { files }: Manifest,
): Promise<Set<string>> {
  const names = await namesIn(root);
  await requireOwnFolder(join(root, STAGED_FOLDER));
  if (names.includes('data')) {
    const way = 'choose another home, or move that folder away';
    throw new CommandError(`${root} has a folder "data": ${way}. Nothing was changed.`);
  }
  const others = names.filter((name) => !UNTOLD.includes(name));
  if (others.length > 0 && !others.includes('projects') && !(await isFolder(projects.folder))) {
    throw new CommandError(`${root} is not empty and not a home of svc. Nothing was changed.`);
  }
  const differing: string[] = [];
  const impossible = new Set<string>();
  const isBehindLink = linkLookup(root, projects.folder);
  for (const { path, sha256 } of files) {
    const target = targetOf(root, projects, path);
    const state = await stateOf(target, sha256).catch((error) => impossibleOf(error, path));
    if (state === 'impossible') impossible.add(path);
    else if (state === 'other') differing.push(target);
    else if (await isBehindLink(target)) differing.push(target);
  }
  if (differing.length === 0) return impossible;
  const shown = differing.slice(0, 10).join(', ');
  const more = differing.length > 10 ? ` and ${differing.length - 10} more` : '';
  throw new CommandError(
    `These files exist and differ from the backup: ${shown}${more}. Move them away, or restore into an empty home. Nothing was changed.`,
  );
}

/**
 * Sees to it that where the files are gathered there is a folder or nothing. What a link leads to belongs to others.
 *
 * @throws CommandError where it is a link or a file
 */
export async function requireOwnFolder(staged: string): Promise<void> {
  const stats = await lstat(staged).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (stats === null || stats.isDirectory()) return;
  const what = stats.isSymbolicLink() ? 'a link' : 'a file';
  throw new CommandError(
    `${staged} is ${what}, not a folder of svc restore. Remove it and restore again. Nothing was changed.`,
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new CommandError(`${folder} is not a folder.`);
    throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function stateOf(target: string, sha256: string): Promise<'absent' | 'same' | 'other'> {
  const stats = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (stats === null) return 'absent';
  if (stats === undefined || !stats.isFile()) return 'other';
  return (await hashOf(createReadStream(target))) === sha256 ? 'same' : 'other';
}

const FAULTS_OF_ONE: readonly unknown[] = [
  ...['ENAMETOOLONG', 'EINVAL', 'EILSEQ'],
  ...['EEXIST', 'ENOTDIR', 'EISDIR'],
];

/**
 * What keeps one file below `.svc/` from being created, because of its name or of another file of the backup, keeps no
 * other file from being restored.
 *
 * @throws any other error again
 */
export function impossibleOf(error: unknown, path: string): 'impossible' {
  const { code } = error as NodeJS.ErrnoException;
  if (FAULTS_OF_ONE.includes(code) && path.split('/')[2] === '.svc') return 'impossible';
  throw error;
}

// A link among the folders of a home would have files put where it leads. Only the folder of the projects may be a link,
// where it lies in the home itself.
function linkLookup(root: string, projects: string): (target: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  if (dirname(projects) === root) known.set(projects, false);
  const isBehindLink = async (target: string): Promise<boolean> => {
    const folder = dirname(target);
    if (!folder.startsWith(join(root, '/'))) return false;
    const found = known.get(folder);
    if (found !== undefined) return found;
    const stats = await lstat(folder).catch(() => null);
    const isLink = stats?.isSymbolicLink() === true || (await isBehindLink(folder));
    known.set(folder, isLink);
    return isLink;
  };
  return isBehindLink;
}

/**
 * Moves what was gathered to its place, the data last; what is the same there already stays. Where that fails, what was
 * moved is removed again.
 */
export async function moveIntoPlace(
  root: string,
  projects: ProjectsPlace,
  files: Manifest['files'],
): Promise<void> {
  const staged = join(root, STAGED_FOLDER);
  const moved: string[] = [];
  const made: string[] = [];
  const isBehindLink = linkLookup(root, projects.folder);
  try {
    for (const { path, sha256 } of files) {
      if (path.startsWith('data/')) continue;
      const target = targetOf(root, projects, path);
      const state = await stateOf(target, sha256);
      if (await isBehindLink(target))
        throw new CommandError(`${target} is now behind a symbolic link.`);
      if (state === 'same') continue;
      if (state === 'other') throw new CommandError(`${target} was created during the restore.`);
      await makeFolder(dirname(target), made);
      await rename(join(staged, path), target);
      moved.push(target);
    }
    await makeFolder(projects.folder, made);
    for (const folder of new Set([...moved, ...made].map(dirname))) await syncFolder(folder);
    await rename(join(staged, 'data'), join(root, 'data'));
    await syncFolder(root);
  } catch (error) {
    for (const path of moved) await rm(path, { force: true });
    for (const folder of made.reverse()) await rmdir(folder).catch(() => {});
    throw error;
  }
}

/** Makes a folder with those above it, and notes each that was not there. */
export async function makeFolder(folder: string, made: string[]): Promise<void> {
  if (await isFolder(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder), made);
  try {
    await mkdir(folder);
    made.push(folder);
  } catch (error) {
    // A link to a folder, say.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const leads = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (leads) return;
    throw new CommandError(
      `${folder} is a file, or a link that leads to no folder. Remove it, or choose another home.`,
    );
  }
}
