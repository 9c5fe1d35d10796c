/** The day of an instant (milliseconds) in the host's time zone, as `YYYY-MM-DD`. */
export function localDay(at: number): string {
  const date = new Date(at);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0'));
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}

/** The start (in milliseconds) of the day of an instant in the host's time zone. */
export function startOfLocalDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** The given number of days that end with `day`, earliest first. */
export function daysUpTo(day: string, count: number): string[] {
  const last = Date.parse(`${day}T00:00:00.000Z`);
  return Array.from({ length: count }, (_, n) =>
    new Date(last - (count - 1 - n) * DAY_MS).toISOString().slice(0, 10),
  );
}

const DAY_MS = 86_400_000;
