/** Takes bytes and gives lines. */
export interface LineReader {
  /** False once a line was too long; nothing is read any more. */
  add(chunk: Buffer): boolean;
}

const LINE_FEED = 0x0a;

/** Makes a reader of UTF-8 lines of at most `maxBytes`; what is left without a line end is no line. */
export function createLineReader(maxBytes: number, onLine: (line: string) => void): LineReader {
  let parts: Buffer[] = [];
  let length = 0;
  let open = true;
  const keep = (part: Buffer): boolean => {
    length += part.length;
    open = length <= maxBytes;
    if (open) parts.push(part);
    else parts = [];
    return open;
  };
  return {
    add(chunk) {
      let from = 0;
      while (open) {
        const end = chunk.indexOf(LINE_FEED, from);
        if (end === -1) return keep(chunk.subarray(from));
        if (!keep(chunk.subarray(from, end))) return false;
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
