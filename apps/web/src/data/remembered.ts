import { useSyncExternalStore } from 'react';

/** A text that the browser remembers from one visit to the next, for every tab. */
export interface Remembered {
  /** Null where nothing is remembered. */
  read(): string | null;
  /** Where the browser has no room, or is not let remember anything, the text holds for this page alone. */
  write(text: string): void;
  /** Calls back after each `write` of this page; gives what ends that. */
  follow(listener: () => void): () => void;
}

/** Makes what is remembered under a key of the browser. */
export function createRemembered(key: string): Remembered {
  const listeners = new Set<() => void>();
  let ownText: string | null = null;
  return {
    read() {
      if (ownText !== null) return ownText;
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write(text) {
      try {
        localStorage.setItem(key, text);
        ownText = null;
      } catch {
        ownText = text;
      }
      for (const listener of listeners) listener();
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useRemembered({ read, follow }: Remembered): string | null {
  return useSyncExternalStore(follow, read);
}
