/** A line of values between who makes them and the one who takes them. */
export interface Channel<T> {
  /** Puts a value in; after the end it is dropped. */
  push(value: T): void;
  /** How many values wait. */
  waiting(): number;
  /** Lets the taker come to its end once everything is taken. */
  end(): void;
  /** Every value in turn; for one taker. */
  values(): AsyncGenerator<T, void>;
}

/**
 * Makes an empty channel.
 *
 * @param taken Called whenever everything that waited was taken.
 */
export function createChannel<T>(taken: () => void = () => {}): Channel<T> {
  let line: T[] = [];
  let ended = false;
  let wake = (): void => {};
  return {
    push(value) {
      if (ended) return;
      line.push(value);
      wake();
    },
    waiting: () => line.length,
    end() {
      ended = true;
      wake();
    },
    async *values() {
      while (true) {
        const next = line;
        line = [];
        yield* next;
        if (line.length > 0) continue;
        if (ended) return;
        taken();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
