/**
 * Size of a cache of project files in bytes of their texts: 64 files of the maximum size. A parsed file takes up to
 * five times as much.
 */
export const CACHE_BYTES: number = 64 * 1024 * 1024;

/** A cache that evicts the least recently used values; held values are never evicted. */
export interface LruCache<V> {
  /** Counts as a use. */
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): boolean;
}

/**
 * Creates an empty cache.
 * @param options.room capacity, in the unit of `sizeOf`
 * @param options.isHeld whether a value must not be evicted; default: none
 * @param options.onEvicted called with each evicted value
 */
export function createLruCache<V>(options: {
  readonly room: number;
  readonly sizeOf: (value: V) => number;
  readonly isHeld?: (value: V) => boolean;
  readonly onEvicted?: (key: string, value: V) => void;
}): LruCache<V> {
  const { room, sizeOf, isHeld = () => false, onEvicted } = options;
  const entries = new Map<string, { readonly value: V; readonly size: number }>();
  let used = 0;
  const remove = (key: string): boolean => {
    const entry = entries.get(key);
    if (entry !== undefined) used -= entry.size;
    return entries.delete(key);
  };
  const makeRoom = (kept: string): void => {
    for (const [key, { value }] of entries) {
      if (used <= room) return;
      if (key === kept || isHeld(value)) continue;
      remove(key);
      onEvicted?.(key, value);
    }
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      remove(key);
      // Measured once, because computing the size of a text has a cost and values are read far more often than they
      // are set.
      const size = sizeOf(value);
      entries.set(key, { value, size });
      used += size;
      makeRoom(key);
    },
    delete: remove,
  };
}
