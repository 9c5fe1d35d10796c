/** A time in the local time zone of this machine: `2026-03-01 03:00:00`. */
export function formatLocalTime(at: string): string {
  const time = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** A duration in milliseconds, in at most two units: `840 ms`, `4.2 s`, `3 min 20 s`, `2 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  for (const [i, [unit, length]] of UNITS.entries()) {
    if (ms < length) continue;
    const [small, part] = UNITS[i + 1] ?? ['s', 1_000];
    const rest = Math.floor((ms % length) / part);
    return `${Math.floor(ms / length)} ${unit}${rest === 0 ? '' : ` ${rest} ${small}`}`;
  }
  return `${Math.floor(ms / 1_000)} s`;
}

/** An amount in US dollars; empty if unknown. */
export function formatCost(cost: number | null): string {
  if (cost === null) return '';
  return cost > 0 && cost < 0.01 ? '<$0.01' : `$${cost.toFixed(2)}`;
}

const BYTE_UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes in decimal units: `840 B`, `1.2 MB`, `36 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const found = BYTE_UNITS.findIndex((_, n) => bytes / 1000 ** (n + 1) < 999.5);
  const at = found === -1 ? BYTE_UNITS.length - 1 : found;
  const value = bytes / 1000 ** (at + 1);
  return `${value.toFixed(value < 9.95 ? 1 : 0)} ${BYTE_UNITS[at]}`;
}
