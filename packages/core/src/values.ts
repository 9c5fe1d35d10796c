/** True for an object with named fields; lists and null are none. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Most objects and lists within each other in JSON that others send. */
export const MOST_JSON_LEVELS = 64;

/** Whether more objects and lists than `levels` are nested within each other; looks no deeper than that. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
