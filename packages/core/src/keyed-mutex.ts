/** Runs work under the same key one piece at a time. Different keys do not wait for each other. */
export interface KeyedMutex {
  /** Starts the work once all earlier work under the key has settled, and returns its result. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Waits until no work is left under any key. */
  idle(): Promise<void>;
}

/** Creates an idle mutex. A key uses memory only while work under it is pending. */
export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<void>>();
  return {
    run(key, work) {
      const done = (tails.get(key) ?? Promise.resolve()).then(work);
      const tail: Promise<void> = done
        // The caller receives the failure through `done`; the next piece of work runs either way.
        .then(ignore, ignore)
        .then(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
      return done;
    },
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}

function ignore(): void {}
