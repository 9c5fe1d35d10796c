/** Settles like the promise, or rejects as soon as the signal aborts. The promise itself keeps running. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('The call was stopped.'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject);
  });
}
