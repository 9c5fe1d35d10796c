import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

// One timer for every clock of the page, and none while there is no clock.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A text that the present instant is part of; its owner is drawn again when the text changes. */
export function useTicking(text: (now: number) => string): string {
  return useSyncExternalStore(subscribe, () => text(Date.now()));
}
