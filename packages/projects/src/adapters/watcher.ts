import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, messageOf } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';
import { PROJECT_FILE } from '../paths.ts';

interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** Tells the folder from another one that took its name. */
  readonly identity: string;
}

/**
 * Watches the projects folder and names each project whose file or folder may have changed. Every notification of the
 * file system is passed on: none is throttled away, so that the last one of a burst always arrives.
 */
export async function watchProjects(
  root: string,
  deps: { readonly logger: Logger },
  changed: (slug: Slug) => void,
): Promise<() => Promise<void>> {
  const folders = new Map<Slug, WatchedFolder>();
  let closed = false;
  const failed = (error: unknown): void => {
    deps.logger.error({ error: messageOf(error) }, 'watching the projects folder failed');
  };
  const drop = (slug: Slug): void => {
    folders.get(slug)?.watcher.close();
    folders.delete(slug);
  };
  const look = async (slug: Slug): Promise<boolean> => {
    const identity = await identityOf(join(root, slug));
    if (closed || identity === folders.get(slug)?.identity) return false;
    drop(slug);
    if (identity === null) return true;
    try {
      const watcher = watch(join(root, slug), (_event, file) => {
        if (file === null || file === PROJECT_FILE) changed(slug);
      });
      watcher.on('error', failed);
      folders.set(slug, { watcher, identity });
    } catch (error) {
      failed(error);
    }
    return true;
  };
  const lookAndTell = (slug: Slug): void => {
    // The file may have been written before its folder was watched, so the folder itself counts as a change.
    look(slug).then((isNew) => isNew && changed(slug), failed);
  };
  const lookAtAll = async (): Promise<void> => {
    const slugs = (await readdir(root)).filter(isSlug);
    for (const slug of new Set([...slugs, ...folders.keys()])) lookAndTell(slug);
  };
  const top = watch(root, (_event, name) => {
    if (name === null) lookAtAll().catch(failed);
    else if (isSlug(name)) lookAndTell(name);
  });
  top.on('error', failed);
  await Promise.all((await readdir(root)).filter(isSlug).map(look));
  return async () => {
    closed = true;
    top.close();
    for (const slug of [...folders.keys()]) drop(slug);
  };
}

async function identityOf(folder: string): Promise<string | null> {
  const stats = await stat(folder).catch(() => null);
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : null;
}
