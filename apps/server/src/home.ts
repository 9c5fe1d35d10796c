import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { STAGED_FOLDER } from '@svc/backup';
import { type Issue, sentenceOf } from '@svc/core';
import { decodeUtf8, syncFolder } from '@svc/projects';
import type { RuntimeBlock } from '@svc/settings';
import { ServerError } from './errors.ts';
import { readLastUse } from './last-use.ts';
import { sampleFiles } from './sample.ts';

/** Paths of a home folder. */
export interface Home {
  readonly root: string;
  readonly projects: string;
  /** Whether the projects folder was configured, so that it must exist. */
  readonly projectsAreNamed: boolean;
  /** The setting that named it. */
  readonly projectsSetting: string;
  readonly data: string;
  readonly database: string;
  readonly instanceFile: string;
  /** Results of allow-list self-tests. */
  readonly selfTests: string;
  /** Files of the runtime `claude`: its SDK and sessions. */
  readonly claude: string;
  /** Lock file, held by the process that uses the home. */
  readonly lockFile: string;
  readonly config: string;
  /** Whether the configuration file was named explicitly, so that it must exist. */
  readonly configIsNamed: boolean;
}

/** The paths of a home. */
export function homeAt(folder: string, config: string | null): Home {
  const root = resolve(folder);
  const data = join(root, 'data');
  return {
    root,
    projects: join(root, 'projects'),
    projectsAreNamed: false,
    projectsSetting: 'projects.dir',
    data,
    database: join(data, 'svc.db'),
    instanceFile: join(data, 'instance.json'),
    selfTests: join(data, 'fences.json'),
    claude: join(root, 'runtimes', 'claude'),
    lockFile: join(root, '.svc.lock'),
    config: config === null ? join(root, 'svc.config.yaml') : resolve(config),
    configIsNamed: config !== null,
  };
}

/** The same home with the configured projects folder; `dir` null: its own. */
export function withProjectsIn(
  home: Home,
  { dir, setting: projectsSetting }: { readonly dir: string | null; readonly setting: string },
): Home {
  if (dir === null) return home;
  return { ...home, projects: resolve(home.root, dir), projectsAreNamed: true, projectsSetting };
}

/**
 * Ensures that a usable home exists; creates nothing.
 *
 * @throws ServerError `no_home`, `no_projects`, `home_unusable`
 */
export async function requireHome(home: Home): Promise<void> {
  await requireRestored(home);
  if (home.projectsAreNamed && (await isFolder(home.root))) return requireNamedProjects(home);
  if (!home.projectsAreNamed && (await isFolder(home.projects))) return;
  const { projects } = (await readLastUse(home)) ?? {};
  if (projects !== undefined && projects !== home.projects) {
    const message = `The home ${home.root} has no folder "projects". It was last used with the projects in ${projects}: set projects.dir in svc.config.yaml, or SVC_PROJECTS_DIR.`;
    throw new ServerError('no_projects', message);
  }
  const problem = (await isFolder(home.root))
    ? `${home.root} is not a home of svc: it has no folder "projects".`
    : `There is no home folder ${home.root}.`;
  const advice = `Create one with "svc init ${home.root}" or "svc serve --init", or choose another with --home.`;
  throw new ServerError('no_home', `${problem} ${advice}`);
}

/**
 * Ensures that no interrupted restore exists. A restore moves the database last, so the rest of its staging folder is
 * not needed after that.
 *
 * @throws ServerError `home_unusable`
 */
export async function requireRestored({ root, data }: Pick<Home, 'root' | 'data'>): Promise<void> {
  const staged = join(root, STAGED_FOLDER);
  if (!(await isFolder(staged))) return;
  if ((await isFolder(data)) && !(await isFolder(join(staged, 'data')))) return;
  const advice = `Run svc restore again, or remove ${staged} to use the home as it is.`;
  throw new ServerError('home_unusable', `A restore into ${root} has not finished. ${advice}`);
}

// Creating it below a mount point would start with no projects, and hide them once the volume is mounted.
async function requireNamedProjects({ projects, projectsSetting }: Home): Promise<void> {
  if (await isFolder(projects)) return;
  const message = `The folder ${projects} in ${projectsSetting} does not exist. Mount it, create it, or correct ${projectsSetting}.`;
  throw new ServerError('no_projects', message);
}

/**
 * Ensures that the home folder exists, whatever it contains.
 *
 * @throws ServerError `no_home`
 */
export async function requireFolder(home: Home): Promise<void> {
  if (!(await isFolder(home.root))) await requireHome(home);
}

/**
 * Creates missing folders of a home, except configured ones; `data` is accessible to its owner only.
 *
 * @throws ServerError `home_unusable`, `no_projects`
 */
export async function prepareHome(home: Home): Promise<void> {
  if (home.projectsAreNamed) await requireNamedProjects(home);
  await requireRestored(home);
  try {
    await rm(join(home.root, STAGED_FOLDER), { recursive: true, force: true });
    if (!home.projectsAreNamed) await makeFolders(home.projects);
    await makeFolders(home.data);
    await chmod(home.data, 0o700);
  } catch (cause) {
    const { code = '', path = home.root } = cause as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST' ? `${path} is not a folder` : `${path} cannot be written (${code})`;
    const isForeign = code === 'EACCES' || code === 'EPERM';
    const fix = `${isForeign ? 'Run the command as the owner of the home, or choose' : 'Choose'} a writable home with --home.`;
    const message = `The home folder ${home.root} cannot be used: ${why}. ${fix}`;
    throw new ServerError('home_unusable', message, { cause });
  }
}

// Step by step, because the recursive form of Node hangs on some file systems that refuse.
async function makeFolders(folder: string): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !(await isFolder(parent))) await makeFolders(parent);
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(folder)))
      throw error;
    return;
  }
  await syncFolder(parent);
}

/** Whether a home was already created. */
export async function isUsed(home: Home): Promise<boolean> {
  const isMade = await isFolder(home.projectsAreNamed ? home.data : home.projects);
  return isMade || (await readLastUse(home)) !== null;
}

/** Whether a path is a folder, or a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** What was created in a home: `nothing` if it existed, `settings` if the projects folder has other projects. */
export type Filled = 'nothing' | 'settings' | 'sample';

/**
 * Creates the configuration file of a new home, with a runtime if given, and a sample project.
 *
 * @throws ServerError `home_unusable`, `no_projects`
 */
export async function initHome(home: Home, block: RuntimeBlock | null = null): Promise<Filled> {
  if (await isUsed(home)) return 'nothing';
  await prepareHome(home);
  const hasProjects = (await readdir(home.projects)).length > 0;
  const files = sampleFiles(block, relative(join(home.projects, 'hello'), home.root));
  await writeNew(home.root, files.settings);
  if (hasProjects) return 'settings';
  await writeNew(home.projects, files.project);
  return 'sample';
}

async function writeNew(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await makeFolders(dirname(file));
    await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

const CONFIG_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'give the user that svc runs as permission to read it and to enter its folder',
  EISDIR: 'it is a folder; replace it with a file',
};

/**
 * The text of the configuration file; null if there is none.
 *
 * @throws ServerError `config_unreadable`
 */
export async function readConfigFile(home: Home): Promise<string | null> {
  const bytes = await readFile(home.config).catch((cause: NodeJS.ErrnoException) => {
    const { code = 'unknown error' } = cause;
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    if (isAbsent && !home.configIsNamed) return null;
    const message = isAbsent
      ? `The configuration file ${home.config} does not exist. Choose another with --config.`
      : `The configuration file ${home.config} cannot be read: ${CONFIG_FAULTS[code] ?? `cause: ${code}`}.`;
    throw new ServerError('config_unreadable', message, { cause });
  });
  if (bytes === null) return null;
  const text = decodeUtf8(bytes);
  if (text.ok) return text.value;
  const line = text.issues[0]?.line ?? 1;
  const message = `The configuration file ${home.config} is not UTF-8 text (line ${line}). Save it in that encoding.`;
  throw new ServerError('config_unreadable', message);
}

/** The errors in the settings, in one line. */
export function issuesText(home: Home, issues: readonly Issue[]): string {
  const texts = issues.map((issue) => {
    if (issue.line === undefined) return sentenceOf(issue, home.config);
    return `${home.config}:${issue.line}: ${sentenceOf(issue, 'The file')}`;
  });
  return texts.join(' ');
}
