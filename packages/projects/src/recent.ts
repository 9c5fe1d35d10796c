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
 */
export function createRecent<V>(options: {
  readonly room: number;
  readonly sizeOf: (value: V) => number;
  readonly isHeld?: (value: V) => boolean;
}): Recent<V> {
  const { room, sizeOf, isHeld = () => false } = options;
  const values = new Map<string, V>();
  let used = 0;
  const remove = (key: string): V | undefined => {
    const value = values.get(key);
    if (value === undefined) return undefined;
    values.delete(key);
    used -= sizeOf(value);
    return value;
  };
  const put = (key: string, value: V): void => {
    values.set(key, value);
    used += sizeOf(value);
  };
  const makeRoom = (kept: string): void => {
    for (const [key, value] of values) {
      if (used <= room) return;
      if (key !== kept && !isHeld(value)) remove(key);
    }
  };
  return {
    get(key) {
      const value = remove(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      put(key, value);
      makeRoom(key);
    },
    delete: (key) => remove(key) !== undefined,
  };
}
