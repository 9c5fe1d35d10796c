import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { decodeUtf8, syncFolder } from '@svc/projects';
import { lastUse } from './earlier-node.ts';
import { ServerError } from './errors.ts';
import type { RuntimeBlock } from './runtime-blocks.ts';
import { sampleFiles } from './sample.ts';

/** Where a restore gathers what it will put into a home; while it is there, the home is not used. */
export const STAGED_FOLDER = '.svc-restore';

/** The paths of one home folder. */
export interface Home {
  readonly root: string;
  readonly projects: string;
  /** Whether somebody named the folder of the projects, so that it has to be there. */
  readonly projectsAreNamed: boolean;
  /** What named it. */
  readonly projectsSetting: string;
  readonly data: string;
  readonly database: string;
  readonly instanceFile: string;
  /** Which fences of runtimes were seen to hold. */
  readonly fences: string;
  /** Of the runtime `claude`: its SDK, and the sessions of its agents. */
  readonly claude: string;
  /** Held by the process that has the home open. */
  readonly lockFile: string;
  readonly config: string;
  /** Whether somebody named the configuration file, so that it has to be there. */
  readonly configIsNamed: boolean;
}

/** Where everything of a home lies. */
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
    fences: join(data, 'fences.json'),
    claude: join(root, 'runtimes', 'claude'),
    lockFile: join(root, '.svc.lock'),
    config: config === null ? join(root, 'svc.config.yaml') : resolve(config),
    configIsNamed: config !== null,
  };
}

/** The same home with its projects in the folder that the settings name; `dir` null: in its own. */
export function withProjectsIn(
  home: Home,
  { dir, setting: projectsSetting }: { readonly dir: string | null; readonly setting: string },
): Home {
  if (dir === null) return home;
  return { ...home, projects: resolve(home.root, dir), projectsAreNamed: true, projectsSetting };
}

/**
 * Sees to it that there is a home to work in; makes nothing.
 *
 * @throws ServerError `no_home`, `no_projects`, `home_unusable`
 */
export async function requireHome(home: Home): Promise<void> {
  await requireRestored(home);
  if (home.projectsAreNamed && (await isFolder(home.root))) return requireNamedProjects(home);
  if (!home.projectsAreNamed && (await isFolder(home.projects))) return;
  const { projects } = (await lastUse(home)) ?? {};
  if (projects !== undefined && projects !== home.projects) {
    const message = `The home ${home.root} has no folder "projects". It was last used with the projects in ${projects}: set projects.dir in svc.config.yaml, or SVC_PROJECTS_DIR.`;
    throw new ServerError('no_projects', message);
  }
  const lack = (await isFolder(home.root))
    ? `${home.root} is not a home of svc: it has no folder "projects".`
    : `There is no home folder ${home.root}.`;
  const way = `Create one with "svc init ${home.root}" or "svc serve --init", or choose another with --home.`;
  throw new ServerError('no_home', `${lack} ${way}`);
}

/**
 * Sees to it that no restore has begun there that did not end. The data is what it moves last: what is left of its folder
 * after that is not needed.
 *
 * @throws ServerError `home_unusable`
 */
export async function requireRestored({ root, data }: Pick<Home, 'root' | 'data'>): Promise<void> {
  const staged = join(root, STAGED_FOLDER);
  if (!(await isFolder(staged))) return;
  if ((await isFolder(data)) && !(await isFolder(join(staged, 'data')))) return;
  const ways = `Run svc restore again, or remove ${staged} to use the home as it is.`;
  throw new ServerError('home_unusable', `A restore into ${root} has not finished. ${ways}`);
}

// Whoever made it where a volume is to be mounted would begin with no projects, and hide what becomes of them.
async function requireNamedProjects({ projects, projectsSetting }: Home): Promise<void> {
  if (await isFolder(projects)) return;
  const message = `The folder ${projects} in ${projectsSetting} does not exist. Mount it, create it, or correct ${projectsSetting}.`;
  throw new ServerError('no_projects', message);
}

/**
 * Sees to it that there is a folder where the home should be, whatever it holds.
 *
 * @throws ServerError `no_home`
 */
export async function requireFolder(home: Home): Promise<void> {
  if (!(await isFolder(home.root))) await requireHome(home);
}

/**
 * Makes the folders of a home as far as they are missing, but for one that somebody has named; `data` is for its owner only.
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
    throw new ServerError(
      'home_unusable',
      `The home folder ${home.root} cannot be used: ${why}. Choose a writable home with --home.`,
      { cause },
    );
  }
}

// Step by step, because Node's own recursive form never comes back from some file systems that refuse.
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

/** Whether a home was made already. */
export async function isUsed(home: Home): Promise<boolean> {
  const isMade = await isFolder(home.projectsAreNamed ? home.data : home.projects);
  return isMade || (await lastUse(home)) !== null;
}

/** Whether a folder is there, or a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** What a home was filled with: `nothing` where it was made before, `settings` where others have projects there. */
export type Filled = 'nothing' | 'settings' | 'sample';

/**
 * Fills a home that was not made yet with a configuration file, which names a runtime where one is given, and a sample
 * project.
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
  EACCES: 'give the user of svc permission to read it and to enter its folder',
  EISDIR: 'it is a folder; replace it with a file',
};

/**
 * The text of the configuration file; null when there is none.
 *
 * @throws ServerError `config_unreadable`
 */
export async function readConfigFile(home: Home): Promise<string | null> {
  const bytes = await readFile(home.config).catch((cause: NodeJS.ErrnoException) => {
    const { code = 'unknown error' } = cause;
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    if (isAbsent && !home.configIsNamed) return null;
    const said = isAbsent
      ? `The configuration file ${home.config} does not exist. Choose another with --config.`
      : `The configuration file ${home.config} cannot be read: ${CONFIG_FAULTS[code] ?? `cause: ${code}`}.`;
    throw new ServerError('config_unreadable', said, { cause });
  });
  if (bytes === null) return null;
  const text = decodeUtf8(bytes);
  if (text.ok) return text.value;
  const line = text.issues[0]?.line ?? 1;
  const said = `The configuration file ${home.config} is not UTF-8 text (line ${line}). Save it in that encoding.`;
  throw new ServerError('config_unreadable', said);
}
