import type { Clock } from './clock.ts';

/** Cuts work into slices of time, so that the rest of the process is not held up. */
export interface Pace {
  /** Whether the slice is used up. */
  readonly spent: boolean;
  /** Lets others run and begins a new slice. */
  rest(): Promise<void>;
  /** Rests when the slice is used up; for loops, which call it often. */
  breathe(): Promise<void>;
}

/** Makes a pace whose first slice begins now. @param sliceMs Length of a slice in milliseconds. Default: 8. */
export function createPace(clock: Clock, sliceMs = 8): Pace {
  let began = clock.mono();
  const isSpent = (): boolean => clock.mono() - began >= sliceMs;
  const rest = async (): Promise<void> => {
    await clock.yield();
    began = clock.mono();
  };
  return {
    get spent() {
      return isSpent();
    },
    rest,
    async breathe() {
      if (isSpent()) await rest();
    },
  };
}
