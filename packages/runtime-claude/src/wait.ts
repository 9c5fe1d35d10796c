import type { Clock, KeyedMutex } from '@svc/core';

/** Waits until a promise settles, at most `ms` milliseconds. */
export async function waitAtMost(
  clock: Clock,
  promise: Promise<unknown>,
  ms: number,
): Promise<void> {
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
 * Waits for a mutex, or until the signal aborts. The caller must call the returned function in both cases, which releases
 * the mutex.
 */
export async function acquire(
  mutex: KeyedMutex,
  key: string,
  signal: AbortSignal,
): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    void mutex.run(key, async () => {
      resolve();
      await released;
    });
  });
  return release;
}

/**
 * Yields the values of an iterable, but ends `graceMs` milliseconds after the signal has aborted, even if the iterable
 * hangs. Throws the errors of the iterable.
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
  const timedOut = new Promise<null>((resolve) => {
    onAbort = () => {
      timer ??= clock.setTimeout(() => resolve(null), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    for (;;) {
      const next = iterator.next();
      // After the timeout, a rejection would be unhandled.
      next.catch(() => {});
      const result = await Promise.race([next, timedOut]);
      if (result === null || result.done === true) return;
      yield result.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (timer !== null) clock.clearTimeout(timer);
    // Not awaited, because it may wait for a process that is killed only later.
    iterator.return?.().catch(() => {});
  }
}
