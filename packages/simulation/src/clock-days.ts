import { type Definition, recurrenceOf } from '@svc/engine';
import {
  type ClockChange,
  clockChanges,
  nextFireMs,
  parseCron,
  type Recurrence,
} from '@svc/recurrence';

/** The effect of a clock change on a trigger. */
export interface ClockDay {
  /** `YYYY-MM-DD` in the changed time zone. */
  readonly day: string;
  /** IANA name; null for the zone of the host. */
  readonly timezone: string | null;
  /** Scheduled times that do not exist, or occur twice, on that day: `02:30`. */
  readonly times: readonly string[];
  readonly kind: 'skipped' | 'repeated';
  /**
   * `at_once`: it fires when the skipped time is over; `not`: not for these times; `first`: when they occur first;
   * `second`: when they occur again; `both`: each time.
   */
  readonly fires: 'at_once' | 'not' | 'first' | 'second' | 'both';
  /** When it fires for the first of these times, in milliseconds since the epoch; null if it does not. */
  readonly at: number | null;
  /** The same as a time of day. */
  readonly atTime: string | null;
}

/** The clock changes from `from` to before `until` that affect a trigger; none for intervals. */
export function clockDaysOf({ when }: Definition, from: number, until: number): ClockDay[] {
  if (when?.kind !== 'cron') return [];
  const recurrence = recurrenceOf(when, from);
  const onPaper = parseCron(when.cron, { timezone: 'UTC' });
  if (recurrence === null || !onPaper.ok) return [];
  const { timezone } = when;
  return clockChanges(timezone, from, until - 1).flatMap((change) => {
    const [begin, end] = [change.at + change.before, change.at + change.after].sort(
      (a, b) => a - b,
    );
    const named = slotsWithin(onPaper.value, begin ?? 0, end ?? 0);
    const [first] = named;
    if (first === undefined) return [];
    const day = new Date(first).toISOString().slice(0, 10);
    const base = { day, timezone, times: named.map(timeText) };
    const isSkipped = change.after > change.before;
    return {
      ...base,
      ...(isSkipped
        ? skipped(recurrence, onPaper.value, change)
        : repeated(recurrence, change, first)),
    };
  });
}

type Details = Pick<ClockDay, 'kind' | 'fires' | 'at' | 'atTime'>;

const MINUTE_MS = 60_000;

function skipped(recurrence: Recurrence, onPaper: Recurrence, { at, after }: ClockChange): Details {
  const next = nextFireMs(recurrence, at - 1);
  // A regular slot at that time does not count as a replacement.
  const isAtOnce = next !== null && next - at < MINUTE_MS && !isFire(onPaper, next + after);
  const made = isAtOnce ? { at: next, atTime: timeText(next + after) } : { at: null, atTime: null };
  return { kind: 'skipped', fires: isAtOnce ? 'at_once' : 'not', ...made };
}

function repeated(recurrence: Recurrence, { before, after }: ClockChange, local: number): Details {
  const [early, late] = [local - before, local - after];
  const inFirst = isFire(recurrence, early);
  const inSecond = isFire(recurrence, late);
  const at = inFirst ? early : inSecond ? late : null;
  const fires = inFirst ? (inSecond ? 'both' : 'first') : inSecond ? 'second' : 'not';
  return { kind: 'repeated', fires, at, atTime: at === null ? null : timeText(local) };
}

function isFire(recurrence: Recurrence, at: number): boolean {
  return nextFireMs(recurrence, at - 1) === at;
}

function slotsWithin(recurrence: Recurrence, from: number, until: number): number[] {
  const slots: number[] = [];
  for (let at = nextFireMs(recurrence, from - 1); at !== null && at < until; ) {
    slots.push(at);
    at = nextFireMs(recurrence, at);
  }
  return slots;
}

function timeText(local: number): string {
  return new Date(local).toISOString().slice(11, 16);
}
