import type { Clock } from '@svc/core';

/** So many writes are free in a window; what comes after them is written together when it ends. */
const FREE_WRITES = 5;
const WINDOW_MS = 100;

/** Takes lines for an output. */
export interface JoinedLines {
  write(line: string): void;
  /** Hands over what waits. */
  flush(): void;
}

/**
 * Writes lines at once while they are few, and many of them together: each write costs more than its line. None waits for
 * longer than 100 ms.
 */
export function createJoinedLines(clock: Clock, output: (text: string) => void): JoinedLines {
  let waiting = '';
  let writes = 0;
  let windowEnd = Number.NEGATIVE_INFINITY;
  let isTimed = false;
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    if (text !== '') output(text);
  };
  return {
    flush,
    write(line) {
      const now = clock.mono();
      if (now >= windowEnd) {
        writes = 0;
        windowEnd = now + WINDOW_MS;
      }
      if (waiting === '' && writes < FREE_WRITES) {
        writes += 1;
        output(line);
        return;
      }
      waiting += line;
      if (isTimed) return;
      isTimed = true;
      clock.setTimeout(() => {
        isTimed = false;
        flush();
      }, windowEnd - now);
    },
  };
}
