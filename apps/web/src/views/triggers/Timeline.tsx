import type { JSX } from 'react';
import type { Upcoming } from '../../data/shapes.ts';
import { busiest, type TimelineRow, timelineRows } from '../../model/timeline.ts';
import { whenText } from '../../model/times.ts';
import styles from './Timeline.module.css';

const HOURS = 24;
const HOUR_MS = 3_600_000;
const WIDTH = 1000;
const MARKS = [0, 6, 12, 18];

/** The fires of the next 24 hours, as a picture and as a table of the same. */
export function Timeline({ upcoming }: { readonly upcoming: Upcoming }): JSX.Element | null {
  const rows = timelineRows(upcoming);
  if (rows.length === 0) return null;
  const now = Date.now();
  const most = busiest(rows);
  return (
    <section className={styles['box']} aria-labelledby="upcoming">
      <h2 id="upcoming" className={styles['title']}>
        Next 24 hours{' '}
        {most === null ? null : (
          <small>
            Busiest: {whenText(most.at, now)}, {most.count} fires at once
          </small>
        )}
      </h2>
      <table className={styles['rows']}>
        <thead>
          <tr>
            <th className={styles['unseen']}>Trigger</th>
            <th>
              <span className={styles['unseen']}>Fires</span>
              <Hours now={now} />
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.trigger}>
              <th scope="row" className={styles['name']}>
                {row.trigger}
              </th>
              <td className={styles['track']}>
                <Marks row={row} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Hours({ now }: { readonly now: number }): JSX.Element {
  return (
    <span className={styles['hours']} aria-hidden>
      {MARKS.map((hours) => (
        <span key={hours}>
          {hours === 0
            ? 'now'
            : whenText(new Date(now + hours * HOUR_MS).toISOString(), now).slice(-5)}
        </span>
      ))}
    </span>
  );
}

function Marks({ row, now }: { readonly row: TimelineRow; readonly now: number }): JSX.Element {
  if (row.firesPerDay !== null) {
    return (
      <span className={styles['band']}>{row.firesPerDay.toLocaleString('en-GB')} fires a day</span>
    );
  }
  const texts = row.fires.map((at) => whenText(at, now));
  return (
    <>
      <span className={styles['unseen']}>{texts.join(', ')}</span>
      <svg
        className={styles['marks']}
        viewBox={`0 0 ${WIDTH} 16`}
        preserveAspectRatio="none"
        aria-hidden
      >
        {row.fires.map((at) => (
          <rect key={at} x={placeOf(at, now)} width="4" height="16" rx="1" />
        ))}
      </svg>
    </>
  );
}

function placeOf(at: string, now: number): number {
  const place = ((Date.parse(at) - now) / (HOURS * HOUR_MS)) * WIDTH;
  return Math.min(Math.max(place, 0), WIDTH - 4);
}
