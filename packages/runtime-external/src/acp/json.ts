import { isRecord } from '@svc/core';

/** A JSON object with unchecked fields, named as in `T`. */
export type Fields<T = Record<string, unknown>> = { readonly [Name in keyof T]?: unknown };

/** The value if it is an object, else an empty object. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The value if it is a non-empty string, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The objects in a list; empty for any other value. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The value if it is a non-negative integer, else null. */
export function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
