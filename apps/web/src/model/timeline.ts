import type { Upcoming } from '../data/api-types.ts';

const MINUTE_MS = 60_000;

/** The upcoming fires of one trigger. */
export interface TimelineRow {
  readonly trigger: string;
  /** UTC ISO texts; empty for a band. */
  readonly fires: readonly string[];
  /** Fires a day of a band; null for single fires. */
  readonly firesPerDay: number | null;
}

/** Groups fires by trigger. Triggers that are reported only by their rate become bands, because single marks would blur. */
export function timelineRows({ fires, frequent }: Upcoming): TimelineRow[] {
  const rows = new Map<string, string[]>();
  for (const { trigger, at } of fires) rows.set(trigger, [...(rows.get(trigger) ?? []), at]);
  return [
    ...[...rows].map(([trigger, list]) => ({ trigger, fires: list, firesPerDay: null })),
    ...frequent.map(({ trigger, firesPerDay }) => ({ trigger, fires: [], firesPerDay })),
  ];
}

/** The minute with the most single fires; null when no two coincide. */
export function busiest(rows: readonly TimelineRow[]): { at: string; count: number } | null {
  const minutes = new Map<number, number>();
  for (const at of rows.flatMap(({ fires }) => fires)) {
    const minute = Math.floor(Date.parse(at) / MINUTE_MS);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  const [most] = [...minutes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (most === undefined || most[1] < 2) return null;
  return { at: new Date(most[0] * MINUTE_MS).toISOString(), count: most[1] };
}
