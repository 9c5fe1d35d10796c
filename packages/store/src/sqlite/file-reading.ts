import type { OpenFiles } from './database-files.ts';

/** How the file of an open database is read. */
export interface FileReading extends Pick<OpenFiles, 'size' | 'read'> {
  /**
   * Has what is committed stay in the log, so that the file does not change: but for `pragma wal_checkpoint(restart)`, which
   * brings all of it there, the log is not carried over from here on.
   */
  hold(): void;
  /** Ends that. */
  release(): void;
  /** Whether the file has changed all the same since it is held. */
  readonly isTorn: boolean;
}

// Of what is asked for now and then; of itself SQLite does not do it where `wal_autocheckpoint` is 0.
const CARRIES_OVER = /^\s*pragma wal_checkpoint\(truncate\)/i;

/** Whether the file of a database is held. */
export interface Holding {
  readonly reading: FileReading;
  /** Whether a statement would change a file that is held. */
  refuses(text: string): boolean;
  /** To be called when the file has changed, or is about to. */
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
