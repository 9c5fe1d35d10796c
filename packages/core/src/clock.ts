import { performance } from 'node:perf_hooks';

/** A timer that `Clock.clearTimeout` ends; opaque to its holder. */
export type TimerHandle = object;

/** The only source of time. `now` is wall time and jumps when the machine's clock is set; `mono` is monotonic. */
export interface Clock {
  /** Wall clock in milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds since an arbitrary fixed instant; never goes backwards. */
  mono(): number;
  /** Calls `callback` once, no earlier than about `ms` milliseconds from now (0 to 2147483647). */
  setTimeout(callback: () => void, ms: number): TimerHandle;
  /** Cancels a timer. Does nothing if it has already fired or been cancelled. */
  clearTimeout(timer: TimerHandle): void;
  /** Yields to the event loop once. */
  yield(): Promise<void>;
}

/** The system clock. Its timers keep the process alive until they fire or are cancelled. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    mono: () => performance.now(),
    setTimeout: (callback, ms) => setTimeout(callback, ms),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    yield: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

/** An instant as UTC ISO text with milliseconds, e.g. `2026-03-01T09:00:00.000Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
