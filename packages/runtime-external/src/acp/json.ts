import { isRecord } from '@svc/core';

/** A JSON object whose fields nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field that is an object; an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** A value that is a text with something in it; null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The objects of a list; none for anything else. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A count, 0 or more; null for anything else. */
export function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
