/** Lets so many in at a time, in the order in which they came. */
export interface Turnstile {
  /** Whether nobody is inside. */
  readonly isFree: boolean;
  enter(): Promise<void>;
  leave(): void;
}

/** Makes a turnstile with nobody inside. */
export function createTurnstile(places = 1): Turnstile {
  const waiting: (() => void)[] = [];
  let free = places;
  return {
    get isFree() {
      return free === places;
    },
    async enter() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
