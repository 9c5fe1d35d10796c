const FORMS =
  /^(?:(?<day>today|yesterday|\d{4}-\d{2}-\d{2})[ T])?(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?$/i;

/**
 * Parses an instant entered by a user: ISO 8601, or `HH:MM` or `HH:MM:SS` (the most recent such time), optionally after
 * `today`, `yesterday` or a date `YYYY-MM-DD`. Without an offset it is the local time of the host. Returns milliseconds since
 * the epoch; null if it is invalid.
 */
export function parseInstantText(text: string, now: number): number | null {
  const written = text.trim();
  const groups = FORMS.exec(written)?.groups;
  if (groups === undefined) return readIso(written);
  const { day, hour, minute, second = '0' } = groups;
  const today = new Date(now);
  const [year, month, date] = /^\d/.test(day ?? '')
    ? (day ?? '').split('-').map(Number)
    : [today.getFullYear(), today.getMonth() + 1, today.getDate()];
  const back = day?.toLowerCase() === 'yesterday' ? 1 : 0;
  const at = (daysBack: number): number | null => {
    const [h, m, s] = [Number(hour), Number(minute), Number(second)];
    if (h > 23 || m > 59 || s > 59) return null;
    const instant = new Date(year ?? 0, (month ?? 0) - 1, (date ?? 0) - daysBack, h, m, s);
    const isReal = back > 0 || day === undefined || instant.getDate() === (date ?? 0) - daysBack;
    return isReal ? instant.getTime() : null;
  };
  const instant = at(back);
  return day === undefined && instant !== null && instant > now ? at(1) : instant;
}

function readIso(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
