import type { Clock, KeyedMutex } from '@svc/core';

/** Waits for a promise, but no longer than `ms` milliseconds. */
export async function within(clock: Clock, promise: Promise<unknown>, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    const done = (): void => {
      clock.clearTimeout(timer);
      resolve();
    };
    promise.then(done, done);
  });
}

/**
 * Waits for its turn in a line, or until the signal aborts. Whoever it was that came of it: call what is returned when
 * the work is done, or is not to be done.
 */
export async function enterLine(
  line: KeyedMutex,
  key: string,
  signal: AbortSignal,
): Promise<() => void> {
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    void line.run(key, async () => {
      resolve();
      await left;
    });
  });
  return leave;
}

/**
 * What an iterable yields, until `graceMs` milliseconds after the signal has aborted: then it ends, whatever the
 * iterable does. Throws what the iterable throws.
 */
export async function* untilStopped<T>(
  iterable: AsyncIterable<T>,
  signal: AbortSignal,
  clock: Clock,
  graceMs: number,
): AsyncGenerator<T, void> {
  const iterator = iterable[Symbol.asyncIterator]();
  let timer: object | null = null;
  let onAbort = (): void => {};
  const late = new Promise<null>((resolve) => {
    onAbort = () => {
      timer ??= clock.setTimeout(() => resolve(null), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    for (;;) {
      const next = iterator.next();
      // Nobody listens any more once it is late.
      next.catch(() => {});
      const got = await Promise.race([next, late]);
      if (got === null || got.done === true) return;
      yield got.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (timer !== null) clock.clearTimeout(timer);
    // It may wait for a process that is about to be ended.
    iterator.return?.().catch(() => {});
  }
}
