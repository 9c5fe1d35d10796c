import type { JSX } from 'react';
import type { Upcoming } from '../../data/api-types.ts';
import { inertText } from '../../model/inert-text.ts';
import { busiest, type TimelineRow, timelineRows } from '../../model/timeline.ts';
import { whenText } from '../../model/times.ts';
import styles from './Timeline.module.css';

const HOURS = 24;
const HOUR_MS = 3_600_000;
/** The hours between two labels of the clock. */
const PART = 6;
/** The last position in percent that leaves room for the width of a mark. */
const MOST = 99.4;

/** The position in percent from which a label of the clock does not fit to the right. */
const LAST = 92;

interface TimelineProps {
  readonly upcoming: Upcoming;
  /** Whether everything is paused, so that no fire starts a run. */
  readonly isPaused: boolean;
}

/** The fires of the next 24 hours, as a chart and as a table. */
export function Timeline({ upcoming, isPaused }: TimelineProps): JSX.Element | null {
  const rows = timelineRows(upcoming);
  if (rows.length === 0) return null;
  const now = Date.now();
  const most = busiest(rows);
  const remarks = [
    most === null ? [] : `Busiest: ${whenText(most.at, now)}, ${most.count} runs at once`,
    isPaused ? 'Skipped while paused' : [],
  ].flat();
  return (
    <section className={styles['box']} aria-labelledby="upcoming">
      <h2 id="upcoming" className={styles['title']}>
        Next 24 hours {remarks.length === 0 ? null : <small>{remarks.join('. ')}</small>}
      </h2>
      <table className={styles['rows']}>
        <thead>
          <tr>
            <th className={styles['unseen']}>Trigger</th>
            <th>
              <span className={styles['unseen']}>Runs</span>
              <Hours now={now} />
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.trigger}>
              <th scope="row" className={styles['name']}>
                {inertText(row.trigger)}
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

/** The hours of the clock labels that are ahead, with their positions in percent. */
function hoursAhead(now: number): { readonly text: string; readonly place: string }[] {
  const first = new Date(now);
  first.setMinutes(0, 0, 0);
  return Array.from({ length: HOURS }, (_, at) => first.getTime() + (at + 1) * HOUR_MS)
    .filter((at) => new Date(at).getHours() % PART === 0)
    .map((at) => ({
      text: whenText(new Date(at).toISOString(), now).slice(-5),
      place: `${((at - now) / (HOURS * HOUR_MS)) * 100}%`,
    }));
}

function Hours({ now }: { readonly now: number }): JSX.Element {
  return (
    <svg className={styles['hours']} aria-hidden>
      {hoursAhead(now).map(({ text, place }) => (
        <text
          key={text}
          x={place}
          y="14"
          textAnchor={Number.parseFloat(place) > LAST ? 'end' : undefined}
        >
          {text}
        </text>
      ))}
    </svg>
  );
}

function Marks({ row, now }: { readonly row: TimelineRow; readonly now: number }): JSX.Element {
  if (row.firesPerDay !== null) {
    return (
      <span className={styles['band']}>{row.firesPerDay.toLocaleString('en-GB')} runs a day</span>
    );
  }
  const texts = row.fires.map((at) => whenText(at, now));
  return (
    <>
      <span className={styles['unseen']}>{texts.join(', ')}</span>
      <svg className={styles['marks']} aria-hidden>
        {hoursAhead(now).map(({ text, place }) => (
          <line key={text} className={styles['hour']} x1={place} x2={place} y1="0" y2="100%" />
        ))}
        {row.fires.map((at) => (
          <rect key={at} x={placeOf(at, now)} y="6" width="4" height="16" rx="1" />
        ))}
      </svg>
    </>
  );
}

function placeOf(at: string, now: number): string {
  const place = ((Date.parse(at) - now) / (HOURS * HOUR_MS)) * 100;
  return `${Math.min(Math.max(place, 0), MOST)}%`;
}
