import { MAX_RESULT_BYTES } from './output.ts';

/** Collects the lines of a result, up to the number that is shown. */
export interface ResultLines {
  /** Adds a line, unless the limit is reached. */
  add(line: string): void;
  /** Whether lines were left out, so that the search can stop. */
  readonly cut: boolean;
  readonly lines: readonly string[];
}

// Leaves room for the truncation mark.
const MAX_BYTES = MAX_RESULT_BYTES - 1024;

/** Creates a collector that keeps at most `max` lines and at most the size of a result. */
export function createResultLines(max: number): ResultLines {
  const lines: string[] = [];
  let bytes = 0;
  let cut = false;
  return {
    lines,
    get cut() {
      return cut;
    },
    add(line) {
      bytes += Buffer.byteLength(line) + 1;
      cut ||= lines.length >= max || bytes > MAX_BYTES;
      if (!cut) lines.push(line);
    },
  };
}
