import type { Clock } from '@svc/core';

const SLICE_MS = 8;

/** Makes a pause that long loops call often: it gives the event loop back when it was held for 8 ms. */
export function createPacer(clock: Clock): () => Promise<void> {
  let since = clock.mono();
  return async () => {
    if (clock.mono() - since < SLICE_MS) return;
    await clock.yield();
    since = clock.mono();
  };
}
