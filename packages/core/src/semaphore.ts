/** Limits how many callers proceed at a time, in the order in which they arrived. */
export interface Semaphore {
  /** Whether no permit is in use. */
  readonly isIdle: boolean;
  acquire(): Promise<void>;
  release(): void;
}

/** Creates a semaphore with the given number of permits. */
export function createSemaphore(permits = 1): Semaphore {
  const waiting: (() => void)[] = [];
  let free = permits;
  return {
    get isIdle() {
      return free === permits;
    },
    async acquire() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
