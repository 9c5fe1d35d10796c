import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type Logger, messageOf, newId } from '@svc/core';

/** Folders inside the projects root in which projects are prepared. Their names are not valid slugs. */
export interface StagingArea {
  /** Creates an empty folder that only this user can enter, after removing those of dead processes. */
  open(): Promise<string>;
  /** Removes the folders of dead processes. */
  sweep(): Promise<void>;
  /** Removes a folder with its content; a failure is logged. */
  close(folder: string): Promise<void>;
}

/** Stages in `<root>/.clones`. Other folders there that are older than `staleMs` are leftovers. */
export function createStagingArea(
  deps: { readonly clock: Clock; readonly logger: Logger },
  options: { readonly root: string; readonly staleMs: number },
): StagingArea {
  const area = join(options.root, '.clones');
  const open = new Set<string>();
  const remove = async (folder: string): Promise<void> => {
    // Files may still appear for a moment after their writer was killed.
    const remains = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 };
    await rm(folder, remains).catch((error: unknown) => {
      deps.logger.warn({ error: messageOf(error) }, 'staging folder not removed');
    });
  };
  const isLeftover = async (folder: string): Promise<boolean> => {
    if (open.has(folder)) return false;
    const stats = await stat(folder).catch(() => null);
    return stats !== null && deps.clock.now() - stats.mtimeMs > options.staleMs;
  };
  const sweep = async (): Promise<void> => {
    for (const name of await readdir(area).catch(() => [])) {
      if (await isLeftover(join(area, name))) await remove(join(area, name));
    }
  };
  return {
    sweep,
    async open() {
      await mkdir(area, { recursive: true });
      await sweep();
      const folder = join(area, newId());
      open.add(folder);
      await mkdir(folder, { mode: 0o700 });
      return folder;
    },
    async close(folder) {
      await remove(folder);
      open.delete(folder);
    },
  };
}
