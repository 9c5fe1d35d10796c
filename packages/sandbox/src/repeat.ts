import type { Clock } from '@svc/core';

/** Calls a function at intervals, each after the previous call has ended, until `stop` is called. */
export function repeat(clock: Clock, everyMs: number, work: () => Promise<void>): { stop(): void } {
  let isStopped = false;
  let timer = {};
  const next = (): void => {
    if (!isStopped) timer = clock.setTimeout(() => void work().then(next, next), everyMs);
  };
  next();
  return {
    stop() {
      isStopped = true;
      clock.clearTimeout(timer);
    },
  };
}
