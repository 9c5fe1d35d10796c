import type { LogTail } from '@svc/ops';

/** A buffer of the newest log lines, which are added as JSON texts. */
export interface LineTail extends LogTail {
  add(line: string): void;
}

const MAX_LINES = 1_000;
const MAX_BYTES = 1_048_576;

/**
 * Creates a buffer of at most 1,000 lines and about one million characters; older lines are dropped. Line numbers start at 1.
 */
export function createLogTail(): LineTail {
  let buffer: string[] = [];
  let size = 0;
  let dropped = 0;
  // Drops half of the buffer at a time, so that the cost per line is small.
  const drop = (): void => {
    const removed = buffer.length - Math.floor(MAX_LINES / 2);
    dropped += Math.max(1, removed);
    buffer = buffer.slice(Math.max(1, removed));
    size = buffer.reduce((sum, line) => sum + line.length, 0);
  };
  return {
    add(line) {
      buffer.push(line);
      size += line.length;
      while (buffer.length > MAX_LINES || size > MAX_BYTES) drop();
    },
    read(after, most) {
      const newest = dropped + buffer.length;
      // A number that is not assigned yet comes from before a restart.
      const from = after === null || after > newest ? Math.max(0, newest - most) : after;
      const first = Math.max(from, dropped);
      const lines = buffer.slice(first - dropped, first - dropped + most);
      return {
        lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
        last: first + lines.length,
        dropped: first - from,
      };
    },
  };
}
