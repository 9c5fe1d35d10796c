import type { Clock, TimerHandle } from '@svc/core';

/** Runs one piece of work at a time, and repeats it if it was requested again meanwhile. */
export interface Poller {
  /** Runs the work now, or again after the current run. */
  nudge(): void;
  /** Starts no further work, and waits for the current run. */
  close(): Promise<void>;
}

const AFTER_FAULT_MS = 30_000;
const LONGEST_SLEEP_MS = 30_000;

/**
 * @param work Returns the milliseconds until there is more work; null to wait for the next nudge.
 * @param onFault Called when the work fails. It is retried after half a minute.
 */
export function createPoller(
  clock: Clock,
  work: () => Promise<number | null>,
  onFault: (error: unknown) => void,
): Poller {
  let closed = false;
  let again = false;
  let working: Promise<void> | null = null;
  let timer: TimerHandle | null = null;
  const stopTimer = (): void => {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  };
  const loop = async (): Promise<void> => {
    let wait: number | null = null;
    while (again && !closed) {
      again = false;
      wait = await work().catch((error: unknown) => {
        onFault(error);
        return AFTER_FAULT_MS;
      });
    }
    working = null;
    if (wait !== null && !closed) timer = clock.setTimeout(nudge, Math.min(wait, LONGEST_SLEEP_MS));
  };
  function nudge(): void {
    again = true;
    if (working !== null || closed) return;
    stopTimer();
    working = loop();
  }
  return {
    nudge,
    async close() {
      closed = true;
      stopTimer();
      await working;
    },
  };
}
