import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type Logger, messageOf, newId } from '@svc/core';

/** Folders inside the projects root in which projects are made ready; no slug looks like their name. */
export interface StagingArea {
  /** Makes an empty folder that only this user can enter, after removing what dead processes left. */
  open(): Promise<string>;
  /** Removes what dead processes left. */
  sweep(): Promise<void>;
  /** Removes a folder and what is in it; a failure is logged. */
  close(folder: string): Promise<void>;
}

/** Stages in `<root>/.clones`; whatever is older there than `staleMs` and not ours is a leftover. */
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
      deps.logger.warn({ error: messageOf(error) }, 'a staging folder was not removed');
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
