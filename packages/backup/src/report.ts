/** Starts to report the progress of a step, in bytes. */
export type Progress = (what: string) => (done: number, of: number) => void;

/** Where progress is shown. */
export interface ProgressTerminal {
  readonly isTerminal: boolean;
  error(line: string): void;
}

// Smaller copies finish quickly.
const REPORTED_FROM_BYTES = 64 * 1024 * 1024;

/** Shows the progress of a long operation in a terminal, in steps of a tenth. */
export function progressOn(
  { isTerminal, error }: ProgressTerminal,
  what: string,
): ReturnType<Progress> {
  let reported = -1;
  return (done, of) => {
    const tenth = of === 0 ? 10 : Math.floor((done * 10) / of);
    if (!isTerminal || of < REPORTED_FROM_BYTES || tenth === reported) return;
    reported = tenth;
    error(`${what}: ${tenth * 10} % of ${inSize(of)}`);
  };
}

/** A size for people. */
export function inSize(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
