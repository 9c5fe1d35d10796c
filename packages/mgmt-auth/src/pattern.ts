/**
 * True when a pattern covers a name: `*` covers all, a trailing `*` covers a prefix; anything else is a literal, so
 * that a mistyped pattern grants nothing.
 */
export function matches(pattern: string, name: string): boolean {
  const prefix = pattern.slice(0, -1);
  if (pattern.endsWith('*') && !prefix.includes('*')) return name.startsWith(prefix);
  return pattern === name;
}
