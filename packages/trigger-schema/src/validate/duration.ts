import { parseDuration } from '@svc/core';
import { fault, given, type Scope } from './scope.ts';

/** Reads a duration within bounds, in milliseconds; the record keeps the text. */
export function readDuration(
  scope: Scope,
  key: string,
  most: { readonly ms: number; readonly text: string },
): string | undefined {
  const value = given(scope, key);
  if (value === undefined) return undefined;
  const parsed = parseDuration(value);
  if (!parsed.ok) {
    for (const issue of parsed.issues) fault(scope, key, issue.message);
    return undefined;
  }
  if (parsed.value > most.ms) return fault(scope, key, `must be at most ${most.text}`);
  return value as string;
}
