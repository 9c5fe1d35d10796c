import type { Settings } from '@svc/settings';
import { ServerError } from './errors.ts';
import { type Home, isFolder } from './home.ts';
import { nodeFileIn, readLastUse } from './last-use.ts';
import { markerFileIn, readFolderMarker } from './projects-folder-marker.ts';

const NAME_IT = 'set database.url in svc.config.yaml, or SVC_DATABASE_URL';

/**
 * Why a home or its projects folder cannot be used with an embedded database: it was used with a database server, and all
 * triggers would fire again. Null if a database server is configured, or none was used.
 */
export async function whyShared(
  home: Home,
  { database }: Pick<Settings, 'database'>,
): Promise<string | null> {
  if (database.url !== null) return null;
  const use = await readLastUse(home);
  const isMarked = (await readFolderMarker(home.projects)) !== null;
  if (use === null && !isMarked) return null;
  const traces = [
    ...(use === null ? [] : [nodeFileIn(home)]),
    ...(isMarked ? [markerFileIn(home.projects)] : []),
  ];
  const back = `To return to the embedded database, which does not contain the records of that database, remove ${traces.join(' and ')}.`;
  if (use === null) {
    return `The projects folder ${home.projects} belongs to a PostgreSQL database, and none is configured: everything in it would fire again. To use that database, ${NAME_IT}. ${back}`;
  }
  const which =
    use.database === undefined ? 'a database on a server' : `the database ${use.database}`;
  const elsewhere = use.projects !== undefined && use.projects !== home.projects;
  const [where, folder] = elsewhere
    ? [` and the projects in ${use.projects}`, ', and projects.dir, or SVC_PROJECTS_DIR']
    : ['', ''];
  return `The home ${home.root} was last used with ${which}${where}, and no database is configured now: ${NAME_IT}${folder}. ${back}`;
}

/** The home with the projects folder it was last used with, unless the settings name one. */
export async function homeInUse(home: Home): Promise<Home> {
  if (home.projectsAreNamed) return home;
  const { projects = home.projects } = (await readLastUse(home)) ?? {};
  return (await isFolder(projects))
    ? { ...home, projects, projectsAreNamed: projects !== home.projects }
    : home;
}

/**
 * Refuses an embedded database for a home or projects folder that was used with a database server.
 *
 * @throws ServerError `other_folder`
 */
export async function requireUnshared(
  home: Home,
  settings: Pick<Settings, 'database'>,
): Promise<void> {
  const reason = await whyShared(home, settings);
  if (reason !== null) throw new ServerError('other_folder', reason);
}
