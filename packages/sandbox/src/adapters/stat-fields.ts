/**
 * The fields of `/proc/<pid>/stat` from field 3, the state. The name before them is in parentheses, and may contain
 * anything.
 */
export function statFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
