import { MAX_RESULT_BYTES } from './output.ts';

/** Collects the lines of a result: no more than are shown. */
export interface ResultLines {
  /** Adds a line, unless it is one too many. */
  add(line: string): void;
  /** Whether lines were left out: nothing more needs to be looked for. */
  readonly cut: boolean;
  readonly lines: readonly string[];
}

// Leaves room for what is said of the lines.
const MAX_BYTES = MAX_RESULT_BYTES - 1024;

/** Makes a collector that keeps at most `max` lines, and no more than a result may hold. */
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
