/** A number with its noun: `1 entry`, `2 entries`. `plural` defaults to the noun with an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
