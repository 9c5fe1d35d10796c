/** A map that forgets its oldest entry once it holds `limit`: memory of pure results, never of state. */
export interface Memo<V> {
  read(key: string): V | undefined;
  keep(key: string, value: V): V;
}

export function createMemo<V>(limit: number): Memo<V> {
  const entries = new Map<string, V>();
  return {
    read: (key) => entries.get(key),
    keep(key, value) {
      if (entries.size >= limit) {
        for (const oldest of entries.keys()) {
          entries.delete(oldest);
          break;
        }
      }
      entries.set(key, value);
      return value;
    },
  };
}
