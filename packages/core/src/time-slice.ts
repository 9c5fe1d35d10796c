import type { Clock } from './clock.ts';

/** Divides long work into time slices so that it does not block the event loop. */
export interface TimeSlice {
  /** Whether the slice is used up. */
  readonly isSpent: boolean;
  /** Yields to the event loop and starts a new slice. */
  yieldNow(): Promise<void>;
  /** Yields when the slice is used up. Call it in every iteration of a loop. */
  yieldToEventLoop(): Promise<void>;
}

/** Starts a first slice now. @param sliceMs Length of a slice in milliseconds. Default: 8. */
export function createTimeSlice(clock: Clock, sliceMs = 8): TimeSlice {
  let began = clock.mono();
  const isUsedUp = (): boolean => clock.mono() - began >= sliceMs;
  const yieldNow = async (): Promise<void> => {
    await clock.yield();
    began = clock.mono();
  };
  return {
    get isSpent() {
      return isUsedUp();
    },
    yieldNow,
    async yieldToEventLoop() {
      if (isUsedUp()) await yieldNow();
    },
  };
}
