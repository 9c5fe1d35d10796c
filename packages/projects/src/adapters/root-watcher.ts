import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';

/** What befalls a folder. */
export interface RootListener {
  /** What has this name in it may have changed; null: anything may have. */
  changed(name: string | null): void;
  /** It is back, or another one has taken its place. */
  replaced(): Promise<void>;
}

// A folder that is replaced takes its notifications with it.
const LOOK_MS = 1000;

/** Watches a folder, and looks every second whether it is still the same one. Returns how to stop. */
export async function watchRoot(
  root: string,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  listener: RootListener,
): Promise<() => void> {
  const failed = (error: unknown): void => {
    logger.error({ error: messageOf(error) }, 'watching the projects folder failed');
  };
  const begin = (): FSWatcher =>
    watch(root, (_event, name) => listener.changed(name)).on('error', failed);
  let watcher = begin();
  let standing = await identityOf(root);
  let closed = false;
  const look = async (): Promise<void> => {
    const identity = await identityOf(root);
    if (closed || identity === standing) return;
    if (identity !== null) {
      watcher.close();
      watcher = begin();
      await listener.replaced();
    }
    standing = identity;
  };
  const later = (): TimerHandle =>
    clock.setTimeout(() => {
      const again = (): void => {
        if (!closed) timer = later();
      };
      void look().catch(failed).then(again);
    }, LOOK_MS);
  let timer = later();
  return () => {
    closed = true;
    clock.clearTimeout(timer);
    watcher.close();
  };
}

/** Tells a folder from another one that took its name; null where there is none. */
export async function identityOf(folder: string): Promise<string | null> {
  const stats = await stat(folder).catch(() => null);
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : null;
}
