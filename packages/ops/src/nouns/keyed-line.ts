/** Runs pieces of work one after the other for each key; different keys do not wait for each other. */
export interface KeyedLine {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedLine(): KeyedLine {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = tails.get(key) ?? Promise.resolve();
      const mine = before.then(work);
      const tail = mine.catch(() => {});
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return mine;
    },
  };
}
