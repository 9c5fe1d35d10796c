import type { Clock } from '@svc/core';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** A clock whose time is set explicitly. */
export interface SimulatedClock extends Clock {
  /** When its next timer is due, in milliseconds since the epoch; Infinity if there is none. */
  readonly nextAt: number;
  /** Sets the time without running timers. */
  passTo(at: number): void;
  /** Runs the timers that are due. */
  runDue(): void;
}

/** Creates a clock that starts at an instant in milliseconds since the epoch. */
export function createSimulatedClock(start: number): SimulatedClock {
  const timers = new Set<Timer>();
  let now = start;
  return {
    now: () => now,
    mono: () => now - start,
    setTimeout(callback, ms) {
      const timer = { due: now + Math.max(ms, 0), callback };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as Timer),
    // All other work of a simulation consists of promises, which need no event loop.
    yield: async () => {},
    get nextAt() {
      let next = Number.POSITIVE_INFINITY;
      for (const { due } of timers) next = Math.min(next, due);
      return next;
    },
    passTo(at) {
      now = at;
    },
    runDue() {
      for (const timer of [...timers]) {
        if (timer.due <= now && timers.delete(timer)) timer.callback();
      }
    },
  };
}
