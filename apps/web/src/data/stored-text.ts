import { useSyncExternalStore } from 'react';

/** A text in the local storage of the browser, shared by all tabs. */
export interface StoredText {
  /** Null when nothing is stored. */
  read(): string | null;
  /** When the storage is full or blocked, the text is kept only for this page. */
  write(text: string): void;
  /** Calls back after each `write` on this page; returns a function that unsubscribes. */
  follow(listener: () => void): () => void;
}

/** Creates the accessor of a local storage key. */
export function createStoredText(key: string): StoredText {
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

export function useStoredText({ read, follow }: StoredText): string | null {
  return useSyncExternalStore(follow, read);
}
