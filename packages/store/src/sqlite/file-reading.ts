import type { OpenFiles } from './database-files.ts';

/** Access to the file of an open database. */
export interface FileReading extends Pick<OpenFiles, 'size' | 'read'> {
  /**
   * Suspends checkpoints, so that commits stay in the log and the file does not change. `pragma
   * wal_checkpoint(restart)` remains possible.
   */
  hold(): void;
  /** Ends the suspension. */
  release(): void;
  /** Whether the file changed during the suspension. */
  readonly isTorn: boolean;
}

// The service runs this from time to time; with `wal_autocheckpoint` 0 SQLite runs no checkpoint automatically.
const CARRIES_OVER = /^\s*pragma wal_checkpoint\(truncate\)/i;

/** Whether checkpoints are suspended. */
export interface Holding {
  readonly reading: FileReading;
  /** Whether a statement would change the file during the suspension. */
  refuses(text: string): boolean;
  /** Call it when the file has changed, or is about to. */
  tear(): void;
}

export function createHolding({ size, read }: OpenFiles): Holding {
  let isHeld = false;
  let isTorn = false;
  const reading: FileReading = {
    ...{ size, read },
    hold() {
      isHeld = true;
      isTorn = false;
    },
    release() {
      isHeld = false;
    },
    get isTorn() {
      return isTorn;
    },
  };
  return {
    reading,
    refuses: (text) => isHeld && CARRIES_OVER.test(text),
    tear() {
      isTorn = true;
    },
  };
}
