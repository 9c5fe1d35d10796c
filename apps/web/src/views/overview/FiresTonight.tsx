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

/** Counts the scheduled runs until the next morning. */
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
    ...(single === 0 && often.length > 0 ? [] : [runsText(single)]),
    ...(most === null ? [] : [`most at ${timeText(most.at, now, end)} (${runsText(most.count)})`]),
    ...often.map((rate) => `one trigger that runs every ${spanText(DAY_MS / rate)}`),
  ];
  const skipped =
    single + often.length > 1 ? ', all skipped while paused' : ', skipped while paused';
  return (
    <p className={styles['fact']}>
      Scheduled before {whenText(new Date(end).toISOString(), now)}: {listText(parts, often.length)}
      {isSkipped ? skipped : ''}.
    </p>
  );
}

function runsText(count: number): string {
  if (count === 0) return 'no runs';
  return count === 1 ? '1 run' : `${count} runs`;
}

// Within a day the time alone is unambiguous.
function timeText(at: string, now: number, end: number): string {
  const text = whenText(at, now);
  return end - now > DAY_MS ? text : text.replace(/^tomorrow /, '');
}

/** "6 runs, most at 05:25 (5 runs), and one trigger that runs every 10 s". */
function listText(parts: readonly string[], rates: number): string {
  if (rates === 0 || parts.length === 1) return parts.join(', ');
  const last = parts.at(-1) ?? '';
  const rest = parts.slice(0, -1);
  return `${rest.join(', ')}${rest.length > 1 ? ',' : ''} and ${last}`;
}

function nextMorning(now: number): number {
  const morning = new Date(now);
  morning.setHours(MORNING, 0, 0, 0);
  if (morning.getTime() - now < HOUR_MS) morning.setDate(morning.getDate() + 1);
  return morning.getTime();
}
