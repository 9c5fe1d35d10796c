/** Splits bytes into lines. */
export interface LineReader {
  /** Returns false if a line is too long; the reader then ignores all further input. */
  add(chunk: Buffer): boolean;
}

const LINE_FEED = 0x0a;

/** Creates a reader of UTF-8 lines of at most `maxBytes`. A last line without a line feed is ignored. */
export function createLineReader(maxBytes: number, onLine: (line: string) => void): LineReader {
  let parts: Buffer[] = [];
  let length = 0;
  let isOpen = true;
  const append = (part: Buffer): boolean => {
    length += part.length;
    isOpen = length <= maxBytes;
    if (isOpen) parts.push(part);
    else parts = [];
    return isOpen;
  };
  return {
    add(chunk) {
      let from = 0;
      while (isOpen) {
        const end = chunk.indexOf(LINE_FEED, from);
        if (end === -1) return append(chunk.subarray(from));
        if (!append(chunk.subarray(from, end))) return false;
        const line = Buffer.concat(parts).toString().trim();
        parts = [];
        length = 0;
        from = end + 1;
        if (line !== '') onLine(line);
      }
      return false;
    },
  };
}
