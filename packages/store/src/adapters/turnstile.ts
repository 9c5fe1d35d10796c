/** Lets one in at a time, in the order in which they came. */
export interface Turnstile {
  /** Whether nobody is inside. */
  readonly isFree: boolean;
  enter(): Promise<void>;
  leave(): void;
}

/** Makes a turnstile with nobody inside. */
export function createTurnstile(): Turnstile {
  const waiting: (() => void)[] = [];
  let isFree = true;
  return {
    get isFree() {
      return isFree;
    },
    async enter() {
      if (isFree) {
        isFree = false;
        return;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) isFree = true;
      else next();
    },
  };
}
