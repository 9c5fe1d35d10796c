import { type FSWatcher, statSync } from 'node:fs';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';
import type { Watching } from './watching.ts';

/** What befalls a folder. */
export interface RootListener {
  /** What has this name in it may have changed; null: anything may have. */
  changed(name: string | null): void;
  /** It is back, or another one has taken its place. */
  replaced(): Promise<void>;
  /** It cannot be watched: there may be something new in it. */
  unwatched(): Promise<void>;
}

/** A folder that is watched. */
export interface RootWatch {
  /** Tries once more where it could not be watched. Returns whether it is. */
  tryAgain(): boolean;
  close(): void;
}

// A folder that is replaced takes its notifications with it.
const LOOK_MS = 5000;

/** Watches a folder, and looks every five seconds whether it is still the same one. */
export function watchRoot(
  root: string,
  {
    clock,
    logger,
    watching,
    isSwept,
  }: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly watching: Pick<Watching, 'open'>;
    /** Whether it is looked through also where it is watched. */
    readonly isSwept: boolean;
  },
  listener: RootListener,
): RootWatch {
  const begin = (): FSWatcher | null => watching.open(root, (name) => listener.changed(name));
  let watcher = begin();
  let standing = identityOf(root);
  let closed = false;
  const look = async (): Promise<void> => {
    const identity = identityOf(root);
    if (identity === standing) {
      if (identity !== null && (isSwept || watcher === null)) await listener.unwatched();
      return;
    }
    if (identity !== null) {
      watcher?.close();
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
      void look()
        .catch((error: unknown) => {
          logger.error({ error: messageOf(error) }, 'watching the projects folder failed');
        })
        .then(again);
    }, LOOK_MS);
  let timer = later();
  return {
    tryAgain() {
      watcher ??= begin();
      return watcher !== null;
    },
    close() {
      closed = true;
      clock.clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** Tells a folder from another one that took its name; null where there is none. */
export function identityOf(folder: string): string | null {
  try {
    const stats = statSync(folder);
    return stats.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : null;
  } catch {
    return null;
  }
}
