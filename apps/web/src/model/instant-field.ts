/** Formats an instant for a date and time input, in the local time zone; empty for null. */
export function fieldTime(at: string | null): string {
  if (at === null) return '';
  const instant = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [instant.getFullYear(), two(instant.getMonth() + 1), two(instant.getDate())];
  const time = [instant.getHours(), instant.getMinutes(), instant.getSeconds()].map(two);
  return `${day.join('-')}T${time.join(':')}`;
}

/** Parses the value of a date and time input to UTC ISO text; null when it is invalid. */
export function instantOf(field: string): string | null {
  const instant = new Date(field);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}
