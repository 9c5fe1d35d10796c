import { joinPath } from './paths.ts';
import type { Issue } from './result.ts';

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
    : /\p{Surrogate}/u.test(text)
      ? 'must be valid Unicode: it holds half of a surrogate pair.'
      : null;
  return problem === null ? null : { path: joinPath(path), message: problem };
}
