import { type FSWatcher, statSync } from 'node:fs';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';
import type { FolderWatches } from './folder-watches.ts';

/** Receives the events of a watched folder. */
export interface RootListener {
  /** The entry of this name may have changed; null: any entry may have. */
  changed(name: string | null): void;
  /** The folder exists again, or was replaced by another one. */
  replaced(): Promise<void>;
  /** The folder cannot be watched: new entries may exist. */
  unwatched(): Promise<void>;
}

/** A watched folder. */
export interface RootWatch {
  /** Tries again to watch the folder. Returns whether it is watched. */
  tryAgain(): boolean;
  close(): void;
}

// A replaced folder sends no more notifications.
const LOOK_MS = 5000;

/** Watches a folder, and checks every five seconds whether it was replaced. */
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
    readonly watching: Pick<FolderWatches, 'open'>;
    /** Whether the folder is also scanned periodically while it is watched. */
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
          logger.error({ error: messageOf(error) }, 'projects folder not watched');
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

/** Identifies a folder, to distinguish it from a later one of the same name; null if it does not exist. */
export function identityOf(folder: string): string | null {
  try {
    const stats = statSync(folder);
    return stats.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : null;
  } catch {
    return null;
  }
}
