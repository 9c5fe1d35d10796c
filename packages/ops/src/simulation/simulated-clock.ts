import type { Clock } from '@svc/core';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** A clock whose time passes as fast as it is told to. */
export interface SimulatedClock extends Clock {
  /** When its next timer is due, in milliseconds since the epoch; Infinity without one. */
  readonly nextAt: number;
  /** Has it become the given instant; runs nothing. */
  passTo(at: number): void;
  /** Runs the timers that are due. */
  runDue(): void;
}

/** Makes a clock that starts at an instant in milliseconds since the epoch. */
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
    // All other work of a simulation is promises too: they go on by themselves.
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
