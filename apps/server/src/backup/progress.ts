import { CommandError, type Terminal } from '@svc/cli';
import type { VerbContext } from '../verb-context.ts';

// Smaller copies finish quickly.
const REPORTED_FROM_BYTES = 64 * 1024 * 1024;

/** Shows the progress of a long operation in a terminal, in steps of a tenth. */
export function progressOn(
  { isTerminal, error }: Pick<Terminal, 'isTerminal' | 'error'>,
  what: string,
): (done: number, of: number) => void {
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

/** Runs work that is aborted and cleaned up when the process is asked to stop. */
export async function untilStopped<T>(
  { stopRequested }: Pick<VerbContext, 'stopRequested'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  void stopRequested.then(() => stop.abort());
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) throw new CommandError('Stopped. Nothing was written.');
    throw error;
  }
}
