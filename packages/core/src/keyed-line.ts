/** Runs pieces of work one after the other for each key; different keys do not wait for each other. */
export interface KeyedLine {
  /** What comes of the work, which begins once everything before it under that key has ended, well or badly. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Waits until nothing is left to do under any key. */
  idle(): Promise<void>;
}

/** Makes a line in which nothing waits; a key takes memory for as long as there is work under it. */
export function createKeyedLine(): KeyedLine {
  const tails = new Map<string, Promise<void>>();
  return {
    run(key, work) {
      const done = (tails.get(key) ?? Promise.resolve()).then(work);
      const tail: Promise<void> = done
        // Whoever asked for the work is told; the next in line goes on.
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
