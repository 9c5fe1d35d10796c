import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFaultOf, isId, type Logger, newId } from '@svc/core';
import { syncFolder } from '@svc/projects';
import type { KnownFolder, Store } from '@svc/store';
import { ServerError } from './errors.ts';

/** The marker of a projects folder: the id of its database; `unreadable` if the file has no valid id. */
export type FolderMarker = string | 'unreadable' | null;

const NAME = '.svc-folder';

/** The file that identifies the database of a projects folder. */
export function markerFileIn(projects: string): string {
  return join(projects, NAME);
}

/**
 * Reads the marker of a projects folder; null if it has none.
 *
 * @throws ServerError `other_folder` if it cannot be determined
 */
export async function readFolderMarker(projects: string): Promise<FolderMarker> {
  const file = markerFileIn(projects);
  try {
    const [id = ''] = (await readFile(file, 'utf8')).trimStart().split(/\s/, 1);
    return isId(id) ? id : 'unreadable';
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const why = diskFaultOf(cause)?.sentence ?? `Cause: ${code}.`;
    throw new ServerError('other_folder', `The file ${file} cannot be read. ${why}`, { cause });
  }
}

interface Deps {
  readonly logger: Logger;
  readonly store: Pick<Store, 'projectsFolder' | 'locks'>;
}

/**
 * Ensures that a projects folder belongs to a database server: marks the first folder, and refuses others from then on,
 * so that no server uses projects of another database. Concurrent starts agree on one marker, which is returned; null if
 * the folder has none and cannot be written.
 *
 * @throws ServerError `other_folder`; StoreError `unavailable`
 */
export async function claimProjectsFolder(
  { logger, store }: Deps,
  projects: string,
): Promise<FolderMarker> {
  const lock = await store.locks.take(NAME);
  try {
    const marker = await readFolderMarker(projects);
    const known = await store.projectsFolder.read();
    if (marker !== (known?.id ?? null) && (marker !== null || known?.path !== null)) {
      throw wrongFolder(projects, marker, known);
    }
    if (marker === null && known === null) await store.projectsFolder.choose(newId());
    const id = marker ?? (await store.projectsFolder.read())?.id ?? null;
    if (id === null || (marker === null && !(await writeMarker({ logger }, projects, id))))
      return null;
    if (known?.path == null) await store.projectsFolder.seen(projects);
    return id;
  } finally {
    await lock.release();
  }
}

const MARKER_NOTE = `This folder of projects belongs to the PostgreSQL database of svc that knows it by this id. Leave the file where
it is: servers of another database, or of none, would fire everything here once more.
`;

const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM'];

/** Writes the marker of a folder; returns false if the folder is not writable. */
export async function writeMarker(
  { logger }: Pick<Deps, 'logger'>,
  projects: string,
  id: string,
): Promise<boolean> {
  const file = markerFileIn(projects);
  const staged = `${file}.new`;
  try {
    await rm(staged, { force: true });
    await writeFile(staged, `${id}\n\n${MARKER_NOTE}`, { flag: 'wx', flush: true });
    // If the file system supports links, an existing marker is never replaced.
    await link(staged, file).then(
      () => rm(staged),
      async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') return rename(staged, file);
        await rm(staged, { force: true });
        throw error;
      },
    );
    await syncFolder(projects);
    return true;
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    if (!NOT_WRITABLE.includes(code)) throw markerFault(file, code, cause);
    logger.warn({ file, code }, 'cannot write marker file, make sure all servers use this folder');
    return false;
  }
}

function markerFault(file: string, code: string, cause: unknown): ServerError {
  const why = diskFaultOf(cause)?.sentence ?? `Cause: ${code}.`;
  return new ServerError('other_folder', `The file ${file} cannot be written. ${why}`, { cause });
}

function wrongFolder(
  projects: string,
  marker: FolderMarker,
  known: KnownFolder | null,
): ServerError {
  const file = markerFileIn(projects);
  if (known === null) {
    return new ServerError(
      'other_folder',
      `The projects folder ${projects} belongs to another database: it has the file ${file}. Use that database or another folder (projects.dir, SVC_PROJECTS_DIR). If no server uses the other database, remove the file.`,
    );
  }
  const { id, path } = known;
  const was = marker === null ? 'does not have its marker' : 'has the marker of another database';
  return new ServerError(
    'other_folder',
    `The database belongs to another projects folder: ${projects} ${was}, the file .svc-folder. Mount or configure the folder of the other servers (projects.dir, SVC_PROJECTS_DIR)${path === null ? '' : `, originally ${path}`}. To replace it with this one, stop all servers and run: echo ${id} > ${file}`,
  );
}
