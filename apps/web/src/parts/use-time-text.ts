import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

// All clocks of the page share one timer, which runs only while there is a clock.
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

/** A text that depends on the current time; the component renders again when the text changes. */
export function useTimeText(text: (now: number) => string): string {
  return useSyncExternalStore(subscribe, () => text(Date.now()));
}
