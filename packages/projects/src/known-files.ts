import { createHash } from 'node:crypto';
import { CACHE_BYTES, createLruCache } from './lru-cache.ts';

interface KnownFile {
  /** Null if the file cannot be read. */
  readonly text: string | null;
  /** Whether it can be read from the store again; otherwise it is never evicted. */
  readonly isSaved: boolean;
}

/** A cache of project files, by project. */
interface KnownFiles<V extends KnownFile> {
  get(slug: string): V | undefined;
  /** Returns an entry of any project whose file has this text. */
  withText(text: string): V | undefined;
  set(slug: string, now: V): void;
  delete(slug: string): void;
}

/** Creates an empty cache of project files with room for that many bytes of their texts. */
export function createKnownFiles<V extends KnownFile>(room: number = CACHE_BYTES): KnownFiles<V> {
  // Projects by the digest of their text, so that copies of a file are parsed once.
  const slugsOf = new Map<string, Set<string>>();
  const memory = createLruCache<V>({
    room,
    sizeOf: ({ text }) => Buffer.byteLength(text ?? ''),
    isHeld: ({ isSaved }) => !isSaved,
    onEvicted(slug, { text }) {
      if (text !== null) removeFrom(slugsOf, digest(text), slug);
    },
  });
  const note = (slug: string, now: string | null): void => {
    const before = memory.get(slug)?.text ?? null;
    if (before === now) return;
    if (before !== null) removeFrom(slugsOf, digest(before), slug);
    if (now !== null) addTo(slugsOf, digest(now), slug);
  };
  return {
    get: (slug) => memory.get(slug),
    withText(text) {
      for (const slug of slugsOf.get(digest(text)) ?? []) {
        const known = memory.get(slug);
        if (known?.text === text) return known;
      }
      return undefined;
    },
    set(slug, now) {
      note(slug, now.text);
      memory.set(slug, now);
    },
    delete(slug) {
      note(slug, null);
      memory.delete(slug);
    },
  };
}

/** A text of fixed length that stands for another. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

type Sets = Map<string, Set<string>>;

function addTo(sets: Sets, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

function removeFrom(sets: Sets, key: string, value: string): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
