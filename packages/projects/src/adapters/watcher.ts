import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';
import { PROJECT_FILE } from '../paths.ts';
import { identityOf, watchRoot } from './root-watcher.ts';

interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** Tells the folder from another one that took its name. */
  readonly identity: string;
}

// The kernel's notifications are taken until there are none: whoever makes them faster than that would have this thread
// for itself.
const FLOOD = 2000;
const FLOOD_MS = 250;
const REST_MS = 500;

/**
 * Watches the projects folder and names each project whose file or folder may have changed. Every notification of the
 * file system is passed on, so that the last one of a burst always arrives; a folder with more than 2,000 in 250 ms is
 * left alone for half a second and then named. All are named when the projects folder itself is back or was replaced.
 */
export async function watchProjects(
  root: string,
  deps: { readonly clock: Clock; readonly logger: Logger },
  changed: (slug: Slug) => void,
): Promise<() => Promise<void>> {
  const folders = new Map<Slug, WatchedFolder>();
  const resting = new Set<TimerHandle>();
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
      const isFlood = createFloodGauge(deps.clock);
      const watcher = watch(join(root, slug), (_event, file) => {
        if (isFlood()) rest(slug);
        else if (file === null || file === PROJECT_FILE) changed(slug);
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
  const rest = (slug: Slug): void => {
    drop(slug);
    const timer = deps.clock.setTimeout(() => {
      resting.delete(timer);
      lookAndTell(slug);
    }, REST_MS);
    resting.add(timer);
  };
  const lookAtAll = async (tell: (slug: Slug) => unknown): Promise<void> => {
    const slugs = (await readdir(root)).filter(isSlug);
    await Promise.all([...new Set([...slugs, ...folders.keys()])].map(tell));
  };
  const stopRoot = await watchRoot(root, deps, {
    changed(name) {
      if (name === null) lookAtAll(lookAndTell).catch(failed);
      else if (isSlug(name)) lookAndTell(name);
    },
    replaced: () => lookAtAll((slug) => look(slug).then(() => changed(slug), failed)),
  });
  await lookAtAll(look);
  return async () => {
    closed = true;
    stopRoot();
    for (const timer of resting) deps.clock.clearTimeout(timer);
    for (const slug of [...folders.keys()]) drop(slug);
  };
}

// Tells at each notification whether there are too many of them.
function createFloodGauge(clock: Clock): () => boolean {
  let since = clock.mono();
  let count = 0;
  return () => {
    const now = clock.mono();
    if (now - since > FLOOD_MS) {
      since = now;
      count = 0;
    }
    count += 1;
    return count > FLOOD;
  };
}
