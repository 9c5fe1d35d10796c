import type { Clock, TimerHandle } from '@svc/core';

/** Looks at things again and again, in small steps. */
export interface Polling<K> {
  /** How many things are looked at. */
  readonly size: number;
  has(key: K): boolean;
  add(key: K): void;
  delete(key: K): void;
  close(): void;
}

const STEP_MS = 1000;
/** Most things that are looked at in one step. */
export const MOST_AT_ONCE = 500;

/** Looks at up to 500 things each second, one after the other, and so at each of them once a second where they are fewer. */
export function createPolling<K>(clock: Clock, look: (key: K) => void): Polling<K> {
  const waiting = new Set<K>();
  let timer: TimerHandle | null = null;
  const step = (): void => {
    timer = null;
    const some = [...waiting].slice(0, MOST_AT_ONCE);
    for (const key of some) {
      // To the end of the row.
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
