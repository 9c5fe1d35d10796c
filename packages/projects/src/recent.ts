/** Room of a cache of project files in bytes of their texts: 64 files of the largest size. What a text says takes up to five times as much. */
export const CACHE_BYTES: number = 64 * 1024 * 1024;

/** Remembers what was used last, as much as there is room for; what is held stays however little room is left. */
export interface Recent<V> {
  /** Counts as a use. */
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): boolean;
}

/**
 * Makes a memory that holds nothing yet.
 *
 * @param options.room how much there is room for, in whatever `sizeOf` counts
 * @param options.isHeld whether a value may not be forgotten; default: each may
 * @param options.onEvicted called with what was removed to make room
 */
export function createRecent<V>(options: {
  readonly room: number;
  readonly sizeOf: (value: V) => number;
  readonly isHeld?: (value: V) => boolean;
  readonly onEvicted?: (key: string, value: V) => void;
}): Recent<V> {
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
      // Measured once: the size of a text is not free, and a value is used far more often than it is set.
      const size = sizeOf(value);
      entries.set(key, { value, size });
      used += size;
      makeRoom(key);
    },
    delete: remove,
  };
}
