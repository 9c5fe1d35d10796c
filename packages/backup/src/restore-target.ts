import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { syncFolder } from '@svc/projects';
import { hashOf } from './archive.ts';
import { BackupError } from './errors.ts';
import { type Manifest, STAGED_FOLDER } from './manifest.ts';

/** Target folder for the projects of a backup, and whether the configuration names another folder outside of the home. */
export interface ProjectsTarget {
  readonly folder: string;
  readonly named: string | null;
}

/** A folder in `projects.dir` is used only if it is in the home: other folders may belong to a live home. */
export function projectsTargetIn(root: string, dir: string | null): ProjectsTarget {
  const own = join(root, 'projects');
  if (dir === null) return { folder: own, named: null };
  const folder = resolve(root, dir);
  const path = relative(root, folder);
  const isInside = path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path);
  const isFree = !['data', STAGED_FOLDER, 'runtimes'].includes(path.split('/')[0] ?? '');
  return isInside && isFree ? { folder, named: null } : { folder: own, named: folder };
}

/** Target path of a file of a backup. */
function targetOf(root: string, projects: ProjectsTarget, path: string): string {
  const [first, ...rest] = path.split('/');
  return first === 'projects' ? join(projects.folder, ...rest) : join(root, path);
}

// Other files of a stopped or locked home, which do not identify it.
const NEUTRAL_FILES = ['.svc.lock', STAGED_FOLDER, 'lost+found'];

/**
 * Ensures that a restore overwrites nothing in a home. Returns the paths of files that cannot be created.
 *
 * @throws BackupError if the home has data, is not a home, or has different files at the paths of the backup
 */
export async function requireNoConflicts(
  root: string,
  projects: ProjectsTarget,
  { files }: Manifest,
): Promise<Set<string>> {
  const names = await namesIn(root);
  await requireOwnFolder(join(root, STAGED_FOLDER));
  if (names.includes('data')) {
    const way = 'choose another home, or move that folder elsewhere';
    throw new BackupError('conflict', `${root} has a folder "data": ${way}. Nothing was changed.`);
  }
  const others = names.filter((name) => !NEUTRAL_FILES.includes(name));
  if (others.length > 0 && !others.includes('projects') && !(await isFolder(projects.folder))) {
    throw new BackupError(
      'conflict',
      `${root} is not empty and not a home of svc. Nothing was changed.`,
    );
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
  throw new BackupError(
    'conflict',
    `These files exist and differ from the backup: ${shown}${more}. Move them elsewhere, or restore into an empty home. Nothing was changed.`,
  );
}

/**
 * Ensures that the staging path is a folder or does not exist. The target of a link may belong to something else.
 *
 * @throws BackupError if it is a link or a file
 */
export async function requireOwnFolder(staged: string): Promise<void> {
  const stats = await lstat(staged).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (stats === null || stats.isDirectory()) return;
  const what = stats.isSymbolicLink() ? 'a link' : 'a file';
  throw new BackupError(
    'conflict',
    `${staged} is ${what}, not a folder of svc restore. Remove it and restore again. Nothing was changed.`,
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new BackupError('conflict', `${folder} is not a folder.`);
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

const FAULTS_OF_ONE_FILE: readonly unknown[] = [
  ...['ENAMETOOLONG', 'EINVAL', 'EILSEQ'],
  ...['EEXIST', 'ENOTDIR', 'EISDIR'],
];

/**
 * The reason for a file below `.svc/` that cannot be created because of its name or another file of the backup; other
 * files are restored nevertheless.
 *
 * @throws any other error
 */
export function impossibleOf(error: unknown, path: string): 'impossible' {
  const { code } = error as NodeJS.ErrnoException;
  if (FAULTS_OF_ONE_FILE.includes(code) && path.split('/')[2] === '.svc') return 'impossible';
  throw error;
}

// A link in a home would redirect restored files. Only the projects folder may be a link, if it leads into the home.
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
 * Moves the staged files to their places, the database last; identical files stay. If that fails, the moved files are
 * removed again.
 */
export async function moveIntoPlace(
  root: string,
  projects: ProjectsTarget,
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
        throw new BackupError('conflict', `${target} is now behind a symbolic link.`);
      if (state === 'same') continue;
      if (state === 'other')
        throw new BackupError('conflict', `${target} was created during the restore.`);
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

/** Creates a folder with its parents, and records each new one. */
export async function makeFolder(folder: string, made: string[]): Promise<void> {
  if (await isFolder(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder), made);
  try {
    await mkdir(folder);
    made.push(folder);
  } catch (error) {
    // For example a link to a folder.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const leads = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (leads) return;
    throw new BackupError(
      'conflict',
      `${folder} is a file, or a link that leads to no folder. Remove it, or choose another home.`,
    );
  }
}
