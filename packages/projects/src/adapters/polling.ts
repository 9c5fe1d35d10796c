import type { Clock, TimerHandle } from '@svc/core';

/** Checks items periodically, a few per step. */
export interface Polling<K> {
  /** Number of items. */
  readonly size: number;
  has(key: K): boolean;
  add(key: K): void;
  delete(key: K): void;
  close(): void;
}

const STEP_MS = 1000;
/** Maximum number of items per step. */
export const MOST_AT_ONCE = 500;

/** Checks up to 500 items each second in turn, so that up to 500 items are checked once per second. */
export function createPolling<K>(clock: Clock, look: (key: K) => void): Polling<K> {
  const waiting = new Set<K>();
  let timer: TimerHandle | null = null;
  const step = (): void => {
    timer = null;
    const some = [...waiting].slice(0, MOST_AT_ONCE);
    for (const key of some) {
      // Moves it to the end of the queue.
      waiting.delete(key);
      waiting.add(key);
      look(key);
    }
    later();
  };
  const later = (): void => {
    if (timer === null && waiting.size > 0) timer = clock.setTimeout(step, STEP_MS);
  };
  return {
    get size() {
      return waiting.size;
    },
    has: (key) => waiting.has(key),
    add(key) {
      waiting.add(key);
      later();
    },
    delete(key) {
      waiting.delete(key);
    },
    close() {
      waiting.clear();
      if (timer !== null) clock.clearTimeout(timer);
      timer = null;
    },
  };
}
