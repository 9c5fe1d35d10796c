import { isRecord, kindOf, listed } from '@svc/core';
/** An object whose own keys are data. */
export type Plain = Readonly<Record<string, unknown>>;

/** An own field of an object; `null` and inherited fields are absent (undefined). */
export function own(record: Plain, key: string): unknown {
  return Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined;
}

/** Sets an own field of any name, including `__proto__`. */
export function put(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') {
    record[key] = value;
    return;
  }
  Object.defineProperty(record, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** A copy without the fields that are undefined. */
export function defined(record: Plain): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    if (value !== undefined) put(copy, key, value);
  }
  return copy;
}

/** Whether two values of JSON or YAML are the same; the order of keys does not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  );
}

/** A value in a message: short text in quotes, anything else by its kind. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > 40 ? `${JSON.stringify(value.slice(0, 40))}…` : JSON.stringify(value);
  }
  if (value === null || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  return kindOf(value);
}

/** A list of alternatives: `'a', 'b' or 'c'`. */
export function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  return quoted.length === 0 ? 'nothing' : listed(quoted, 'or');
}

/** Length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whether a text contains half of a surrogate pair, which cannot be written to a file. */
export function hasHalfCharacter(text: string): boolean {
  return !text.isWellFormed();
}
