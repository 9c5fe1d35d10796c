import { type FSWatcher, watch } from 'node:fs';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';
import { type WatchLimit, watchLimitOf } from './watch-limits.ts';

/** Watches one folder. Each notification has the name of the entry, or null. May throw. */
export type WatchFolder = (
  folder: string,
  onEvent: (event: string, name: string | null) => void,
) => FSWatcher;

/** Opens watches until a system limit is reached, and reports that. */
export interface FolderWatches {
  /** Watches a folder; null if a limit is reached or it failed. */
  open(folder: string, onEvent: (name: string | null) => void): FSWatcher | null;
  /** The limit that was reached, until there is room again. */
  readonly limit: WatchLimit | null;
  close(): void;
}

const AGAIN_MS = 60_000;

/** @param tryAgain called every minute after a limit was reached; returns whether everything is watched */
export function createFolderWatches(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  tryAgain: () => boolean,
  watchFolder: WatchFolder = watch,
): FolderWatches {
  let limit: WatchLimit | null = null;
  let again: TimerHandle | null = null;
  let opened = 0;
  const failed = (error: unknown): void => {
    logger.error({ error: messageOf(error) }, 'project folder not watched');
  };
  const look = (): void => {
    again = null;
    if (!tryAgain()) {
      again = clock.setTimeout(look, AGAIN_MS);
      return;
    }
    limit = null;
    logger.info({}, 'all projects watched again');
  };
  const reached = (now: WatchLimit): void => {
    if (limit?.name !== now.name) {
      const fields = { limit: now.name, reason: now.sentence };
      logger.warn(fields, 'watch limit reached, some projects polled');
    }
    limit = now;
    again ??= clock.setTimeout(look, AGAIN_MS);
  };
  return {
    open(folder, onEvent) {
      try {
        const watcher = watchFolder(folder, (_event, name) => onEvent(name));
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
