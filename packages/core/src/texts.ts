import { joinPath } from './paths.ts';
import type { Issue } from './result.ts';
import { isRecord } from './values.ts';

/**
 * The first text in a JSON value, names of fields included, that cannot be stored whole: one with U+0000, or with half
 * of a surrogate pair. Null when all can.
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
    ? 'must not hold the character U+0000.'
    : !text.isWellFormed()
      ? 'must be valid Unicode: it holds half of a surrogate pair.'
      : null;
  return problem === null ? null : { path: joinPath(path), message: problem };
}

/**
 * Text that every database can keep and every receiver can read: without U+0000, and with U+FFFD for each half of a
 * surrogate pair. Apply it to whole texts: the two halves of one character may come in two pieces of a stream.
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same for all texts of a JSON value, names of fields included; a value that needs no change is returned as it is. */
export function storableValue<T>(value: T): T {
  return withTexts(value, storable) as T;
}

/** A JSON value with U+FFFD for each half of a surrogate pair; U+0000 stays, for a tool to refuse. */
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

/** A text of at most `most` UTF-16 units: a longer one ends with `…`, and never with half of a character. */
export function abridged(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${withoutOpenHalf(text.slice(0, most - 1))}…`;
}

/** A text without the first half of a surrogate pair at its end, whose other half may follow. */
export function withoutOpenHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
