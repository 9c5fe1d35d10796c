import { stat } from 'node:fs/promises';
import type { Clock, Logger } from '@svc/core';
import { readFolderMarker, writeMarker } from './projects-folder-marker.ts';

/** Checks that the projects folder remains the one that belongs to the database. */
export interface FolderWatch {
  /**
   * Why this process cannot continue with the folder, in one sentence, which was already logged; null if it can. Checks
   * periodically.
   */
  fault(): string | null;
}

/** A folder whose marker cannot be written is not checked. */
export const NO_FOLDER_WATCH: FolderWatch = { fault: () => null };

const CHECK_INTERVAL_MS = 5000;

/**
 * Starts to watch a folder with the marker `id`: a removed marker is recreated as long as it is the same folder. Without
 * an id (an embedded database), the folder is lost as soon as it has a marker.
 */
export async function watchFolder(
  deps: { readonly clock: Pick<Clock, 'mono'>; readonly logger: Logger },
  projects: string,
  id: string | null,
): Promise<FolderWatch> {
  const opened = await identityOf(projects);
  let fault: string | null = null;
  let checkedAt = deps.clock.mono();
  let checking: Promise<void> | null = null;
  const check = async (): Promise<string | null> => {
    const marker = await readFolderMarker(projects);
    if (marker === id) return null;
    if (id === null) return markedByOther(projects);
    if (marker !== null) return otherMarker(projects);
    const now = await identityOf(projects);
    // A missing folder is reported elsewhere.
    if (now === null) return fault;
    if (now !== opened) return replaced(projects);
    if (await writeMarker(deps, projects, id)) {
      deps.logger.warn({ projects }, 'marker file of the projects folder restored');
    }
    return null;
  };
  const setFault = (now: string | null): void => {
    if (now === fault) return;
    fault = now;
    if (now === null) deps.logger.info({ projects }, 'projects folder available again');
    else deps.logger.error({ projects, reason: now }, 'projects folder lost');
  };
  return {
    fault() {
      const now = deps.clock.mono();
      if (checking === null && now - checkedAt >= CHECK_INTERVAL_MS) {
        checkedAt = now;
        // A folder that cannot be read may be any folder: the result does not change until it can. There is no time
        // limit.
        checking = check()
          .then(setFault, () => {})
          .finally(() => {
            checking = null;
          });
      }
      return fault;
    },
  };
}

async function identityOf(folder: string): Promise<string | null> {
  return stat(folder, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  );
}

function markedByOther(projects: string): string {
  return `The projects folder ${projects} now belongs to a PostgreSQL database, and this svc uses none. Stop this svc, because triggers would fire twice.`;
}

function otherMarker(projects: string): string {
  return `The projects folder ${projects} now belongs to another database. Put the original folder back, or stop svc.`;
}

function replaced(projects: string): string {
  return `The projects folder ${projects} was replaced or is not mounted. Put back the folder with the marker file .svc-folder.`;
}
