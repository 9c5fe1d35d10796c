import type { Clock } from '@svc/core';

/** What ended a wait. */
export type WaitOutcome = 'settled' | 'timed_out' | 'aborted';

/** Waits until a promise settles, a time passes or a signal aborts, and returns which came first. */
export function firstOf(
  clock: Clock,
  ms: number,
  signal: AbortSignal | null,
  promise: Promise<unknown>,
): Promise<WaitOutcome> {
  return new Promise((resolve) => {
    const finish = (outcome: WaitOutcome): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const onAbort = (): void => finish('aborted');
    const onSettled = (): void => finish('settled');
    const timer = clock.setTimeout(() => finish('timed_out'), ms);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    promise.then(onSettled, onSettled);
  });
}
