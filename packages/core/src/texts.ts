import { joinPath } from './paths.ts';
import type { Issue } from './result.ts';
import { isRecord } from './values.ts';

/**
 * The first text in a JSON value, including field names, that cannot be stored unchanged because it contains U+0000
 * or a lone surrogate. Null if there is none.
 */
export function textFault(value: unknown, path: readonly (string | number)[] = []): Issue | null {
  if (typeof value === 'string') return faultOf(value, path);
  if (typeof value !== 'object' || value === null) return null;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, i) => [i, item])
    : Object.entries(value);
  for (const [key, inner] of entries) {
    const fault =
      (typeof key === 'string' ? faultOf(key, path) : null) ?? textFault(inner, [...path, key]);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOf(text: string, path: readonly (string | number)[]): Issue | null {
  const problem = text.includes('\0')
    ? 'must not contain the character U+0000.'
    : !text.isWellFormed()
      ? 'must be valid Unicode: it contains a lone surrogate.'
      : null;
  return problem === null ? null : { path: joinPath(path), message: problem };
}

/**
 * Text that every database can store and every receiver can read: U+0000 is removed, and each lone surrogate
 * becomes U+FFFD. Apply it to whole texts, because a stream may split a surrogate pair.
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/**
 * Applies `storable` to all texts of a JSON value, including field names. Returns the same object if nothing
 * changes.
 */
export function storableValue<T>(value: T): T {
  return withTexts(value, storable) as T;
}

/** A JSON value in which each lone surrogate is replaced by U+FFFD. U+0000 stays, so that a tool can refuse it. */
export function wellFormedValue<T>(value: T): T {
  return withTexts(value, (text) => text.toWellFormed()) as T;
}

function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => withTexts(item, change));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const kept = entries.map(([key, part]) => [change(key), withTexts(part, change)] as const);
  const isSame = kept.every(
    ([key, part], i) => key === entries[i]?.[0] && part === entries[i]?.[1],
  );
  return isSame ? value : Object.fromEntries(kept);
}

/** Truncates a text to `most` UTF-16 units. A truncated text ends with `…` and never with half a character. */
export function abridged(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${withoutOpenHalf(text.slice(0, most - 1))}…`;
}

/** Removes a high surrogate from the end of a text, because its low surrogate may follow. */
export function withoutOpenHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
