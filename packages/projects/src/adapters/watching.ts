import { type FSWatcher, watch } from 'node:fs';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';
import { type WatchLimit, watchLimitOf } from './watch-limits.ts';

/** Watches one folder: each notification comes with the name it is about, or null. May throw. */
export type WatchFolder = (
  folder: string,
  heard: (event: string, name: string | null) => void,
) => FSWatcher;

/** Opens watches until a limit of the system is reached, and says so. */
export interface Watching {
  /** A watch on a folder; null where there is no room for one, or it failed. */
  open(folder: string, heard: (name: string | null) => void): FSWatcher | null;
  /** The limit that was reached, until there is room again. */
  readonly limit: WatchLimit | null;
  close(): void;
}

const AGAIN_MS = 60_000;

/**
 * @param tryAgain called every minute once a limit was reached; returns whether there was room for everything
 */
export function createWatching(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  tryAgain: () => boolean,
  watchFolder: WatchFolder = watch,
): Watching {
  let limit: WatchLimit | null = null;
  let again: TimerHandle | null = null;
  let opened = 0;
  const failed = (error: unknown): void => {
    logger.error({ error: messageOf(error) }, 'watching the projects folder failed');
  };
  const look = (): void => {
    again = null;
    if (!tryAgain()) {
      again = clock.setTimeout(look, AGAIN_MS);
      return;
    }
    limit = null;
    logger.info({}, 'every project is watched again');
  };
  const reached = (now: WatchLimit): void => {
    if (limit?.name !== now.name) {
      const fields = { limit: now.name, reason: now.sentence };
      logger.warn(fields, 'not every project can be watched: edits are found by looking for them');
    }
    limit = now;
    again ??= clock.setTimeout(look, AGAIN_MS);
  };
  return {
    open(folder, heard) {
      try {
        const watcher = watchFolder(folder, (_event, name) => heard(name));
        opened += 1;
        return watcher.on('error', failed);
      } catch (error) {
        const now = watchLimitOf(error, opened === 0);
        if (now === null) failed(error);
        else reached(now);
        return null;
      }
    },
    get limit() {
      return limit;
    },
    close() {
      if (again !== null) clock.clearTimeout(again);
    },
  };
}
