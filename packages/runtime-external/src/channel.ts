/** A queue of values between a producer and one consumer. */
export interface Channel<T> {
  /** Adds a value. Ignored after `end`. */
  push(value: T): void;
  /** The number of queued values. */
  size(): number;
  /** Ends the values after the queued ones. */
  end(): void;
  /** Yields all values. Supports a single consumer. */
  values(): AsyncGenerator<T, void>;
}

/**
 * Creates an empty channel.
 *
 * @param onDrained called whenever the queue becomes empty
 */
export function createChannel<T>(onDrained: () => void = () => {}): Channel<T> {
  let queue: T[] = [];
  let ended = false;
  let wake = (): void => {};
  return {
    push(value) {
      if (ended) return;
      queue.push(value);
      wake();
    },
    size: () => queue.length,
    end() {
      ended = true;
      wake();
    },
    async *values() {
      while (true) {
        const batch = queue;
        queue = [];
        yield* batch;
        if (queue.length > 0) continue;
        if (ended) return;
        onDrained();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
