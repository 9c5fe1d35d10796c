import type { Clock, TimerHandle } from '@svc/core';

/** Does one piece of work at a time, again for whatever came up meanwhile. */
export interface Looper {
  /** Does the work now, or once more after the one that goes on. */
  nudge(): void;
  /** Starts nothing more, and waits for what goes on. */
  close(): Promise<void>;
}

const AFTER_FAULT_MS = 30_000;
const LONGEST_SLEEP_MS = 30_000;

/**
 * @param work Answers after how many milliseconds there is work again; null: at the next nudge.
 * @param onFault Told when it has failed; it is tried again in half a minute.
 */
export function createLooper(
  clock: Clock,
  work: () => Promise<number | null>,
  onFault: (error: unknown) => void,
): Looper {
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
