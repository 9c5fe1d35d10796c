/**
 * True if a pattern matches a name: `*` matches all, a trailing `*` matches a prefix; any other pattern is a
 * literal, so that a mistyped pattern grants nothing.
 */
export function matches(pattern: string, name: string): boolean {
  const prefix = pattern.slice(0, -1);
  if (pattern.endsWith('*') && !prefix.includes('*')) return name.startsWith(prefix);
  return pattern === name;
}
