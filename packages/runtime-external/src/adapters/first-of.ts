import type { Clock } from '@svc/core';

/** What comes first: the end of a promise, good or bad, so many milliseconds, or the abort of a signal. */
export function firstOf(
  clock: Clock,
  ms: number,
  signal: AbortSignal | null,
  promise: Promise<unknown>,
): Promise<'ended' | 'timed_out' | 'stopped'> {
  return new Promise((resolve) => {
    const settle = (how: 'ended' | 'timed_out' | 'stopped'): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', stopped);
      resolve(how);
    };
    const stopped = (): void => settle('stopped');
    const ended = (): void => settle('ended');
    const timer = clock.setTimeout(() => settle('timed_out'), ms);
    if (signal?.aborted) stopped();
    signal?.addEventListener('abort', stopped, { once: true });
    promise.then(ended, ended);
  });
}
