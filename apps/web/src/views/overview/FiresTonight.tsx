import { useQueries } from '@tanstack/react-query';
import type { JSX } from 'react';
import { upcomingQuery } from '../../data/queries.ts';
import { useAllPaused } from '../../data/use-all-paused.ts';
import { busiest, timelineRows } from '../../model/timeline.ts';
import { spanText, whenText } from '../../model/times.ts';
import styles from './Fact.module.css';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MORNING = 8;

/** Counts the fires until the next morning. */
export function FiresTonight({ slugs }: { readonly slugs: readonly string[] }): JSX.Element | null {
  const results = useQueries({ queries: slugs.map((slug) => upcomingQuery(slug, 24)) });
  const isPaused = useAllPaused();
  if (results.some(({ data }) => data === undefined)) return null;
  const now = Date.now();
  const end = nextMorning(now);
  const rows = results.flatMap(({ data }) => (data === undefined ? [] : timelineRows(data)));
  const until = rows.map((row) => ({
    ...row,
    fires: row.fires.filter((at) => Date.parse(at) < end),
  }));
  const often = rows.flatMap(({ firesPerDay }) => firesPerDay ?? []);
  const single = until.reduce((sum, { fires }) => sum + fires.length, 0);
  const most = busiest(until);
  const isSkipped = isPaused && single + often.length > 0;
  const parts = [
    ...(single === 0 && often.length > 0 ? [] : [firesText(single)]),
    ...(most === null ? [] : [`most at ${whenText(most.at, now)} (${most.count})`]),
    ...often.map((rate) => `one trigger every ${spanText(DAY_MS / rate)}`),
    ...(isSkipped ? ['skipped while paused'] : []),
  ];
  return (
    <p className={styles['fact']}>
      Due until {whenText(new Date(end).toISOString(), now)}: {parts.join(', ')}.
    </p>
  );
}

function firesText(count: number): string {
  if (count === 0) return 'no fires';
  return count === 1 ? '1 fire' : `${count} fires`;
}

function nextMorning(now: number): number {
  const morning = new Date(now);
  morning.setHours(MORNING, 0, 0, 0);
  if (morning.getTime() - now < HOUR_MS) morning.setDate(morning.getDate() + 1);
  return morning.getTime();
}
