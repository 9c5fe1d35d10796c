import type { Clock, TimerHandle } from './clock.ts';

interface FakeTimer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Advances both readings by `ms` milliseconds, runs every timer on the way at its due time, and waits for the
   * promises that it starts (as far as they settle without real I/O).
   */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock as a user or NTP would; `mono` and pending timers are unaffected. */
  step(toMs: number): void;
  /** Advances wall time as if the machine were suspended; `mono` and timers stand still. */
  suspend(ms: number): void;
  /** Advances both readings as if the process were stopped, so that timers that become due fire late. */
  stall(ms: number): void;
  /** Number of timers that have neither fired nor been cancelled. */
  readonly pending: number;
  /** Waits until promises that need no real I/O have settled. */
  settle(): Promise<void>;
}

/** Creates a fake clock that starts at the given wall time (milliseconds, or ISO text). */
export function createFakeClock(start: number | string = '2026-01-01T00:00:00.000Z'): FakeClock {
  let wall = typeof start === 'string' ? Date.parse(start) : start;
  let mono = 0;
  let order = 0;
  const timers = new Map<TimerHandle, FakeTimer>();
  const nextDue = (until: number): [TimerHandle, FakeTimer] | null => {
    let best: [TimerHandle, FakeTimer] | null = null;
    for (const [handle, timer] of timers) {
      if (timer.due > until) continue;
      const earlier = best === null || timer.due < best[1].due;
      const tied = best !== null && timer.due === best[1].due && timer.order < best[1].order;
      if (earlier || tied) best = [handle, timer];
    }
    return best;
  };
  const passTo = (at: number): void => {
    wall += at - mono;
    mono = at;
  };
  const advance = async (ms: number): Promise<void> => {
    const until = mono + ms;
    await settle();
    for (let next = nextDue(until); next !== null; next = nextDue(until)) {
      const [handle, timer] = next;
      passTo(Math.max(timer.due, mono));
      timers.delete(handle);
      timer.callback();
      await settle();
    }
    passTo(until);
  };
  return {
    now: () => wall,
    mono: () => mono,
    setTimeout(callback, ms) {
      const handle = {};
      order += 1;
      timers.set(handle, { due: mono + Math.max(ms, 0), order, callback });
      return handle;
    },
    clearTimeout: (timer) => void timers.delete(timer),
    yield: () => new Promise((resolve) => setImmediate(resolve)),
    advance,
    settle,
    step: (toMs) => {
      wall = toMs;
    },
    suspend: (ms) => {
      wall += ms;
    },
    stall: (ms) => passTo(mono + ms),
    get pending() {
      return timers.size;
    },
  };
}

// Five rounds of the event loop are enough for chains of promises and setImmediate to settle.
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
