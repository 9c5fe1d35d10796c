import type { LogTail } from '@svc/ops';

/** Keeps the newest lines of a log, as JSON texts that come one by one. */
export interface LineTail extends LogTail {
  add(line: string): void;
}

const MOST_LINES = 1_000;
const MOST_BYTES = 1_048_576;

/** Lines are numbered from 1; those beyond a thousand, or beyond a million characters together, are dropped. */
export function createLogTail(): LineTail {
  let kept: string[] = [];
  let size = 0;
  let dropped = 0;
  // Dropped half at a time, so that a line costs next to nothing.
  const drop = (): void => {
    const gone = kept.length - Math.floor(MOST_LINES / 2);
    dropped += Math.max(1, gone);
    kept = kept.slice(Math.max(1, gone));
    size = kept.reduce((sum, line) => sum + line.length, 0);
  };
  return {
    add(line) {
      kept.push(line);
      size += line.length;
      while (kept.length > MOST_LINES || size > MOST_BYTES) drop();
    },
    read(after, most) {
      const newest = dropped + kept.length;
      // A number that has not been given yet is of an earlier life of the process.
      const from = after === null || after > newest ? Math.max(0, newest - most) : after;
      const first = Math.max(from, dropped);
      const lines = kept.slice(first - dropped, first - dropped + most);
      return {
        lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
        last: first + lines.length,
        dropped: first - from,
      };
    },
  };
}
