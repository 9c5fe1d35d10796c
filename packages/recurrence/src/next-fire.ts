import { civilFromDays, daysFromMonth } from './civil.ts';
import type { CronRecurrence } from './cron.ts';
import { RecurrenceError } from './errors.ts';
import {
  type IntervalRecurrence,
  instantOf,
  lastIntervalSlot,
  nextIntervalFire,
} from './interval.ts';
import { matchingDays, nextCronFire } from './next-cron.ts';
import { assertRecurrence } from './recurrence.ts';
import { DAY_MS } from './time.ts';

/** What `parseCron` or `parseInterval` gives. */
export type Recurrence = CronRecurrence | IntervalRecurrence;

const MAX_UPCOMING = 10_000;

/**
 * The first fire strictly later than `after`, or null when none comes within the range of `Date`.
 *
 * Cron follows cron(8) of Debian through clock changes. A fixed minute and hour that a clock change of less than three
 * hours skips fires once at the first instant after it, and a repeated one fires once, at its first pass. An expression
 * whose minute or hour begins with `*` follows real time.
 *
 * @throws RecurrenceError `invalid_date`, `not_a_recurrence` or `no_progress`.
 */
export function nextFire(recurrence: Recurrence, after: Date): Date | null {
  const next = nextFireMs(recurrence, requireInstant(after, 'after'));
  return next === null ? null : new Date(next);
}

/** The same as `nextFire` in milliseconds since the epoch, without `Date` objects. */
export function nextFireMs(recurrence: Recurrence, afterMs: number): number | null {
  assertRecurrence(recurrence);
  const after = requireInstant(afterMs, 'afterMs');
  const next =
    recurrence.kind === 'cron'
      ? nextCronFire(recurrence, after)
      : nextIntervalFire(recurrence, after);
  if (next === null || (next > after && Number.isInteger(next))) return next;
  throw new RecurrenceError('no_progress', 'No next slot later than the starting instant.', {
    facts: { recurrence, after, answer: next },
  });
}

/**
 * The next fires after `after`, oldest first; fewer than `count` when they run out.
 *
 * `count` is a whole number from 0 to 10000.
 *
 * @throws RecurrenceError as `nextFire` does, and `invalid_count`.
 */
export function upcoming(recurrence: Recurrence, after: Date, count: number): Date[] {
  requireCount(count, 'count', 0, MAX_UPCOMING);
  const fires: Date[] = [];
  let at: number | null = requireInstant(after, 'after');
  while (fires.length < count) {
    at = nextFireMs(recurrence, at);
    if (at === null) break;
    fires.push(new Date(at));
  }
  return fires;
}

/** How many slots lie in a span of time. */
export interface FireCount {
  readonly count: number;
  /** The newest counted slot in milliseconds since the epoch, or null when there is none. */
  readonly last: number | null;
  /** False when `limit` ended the count early: continue with `last` as the new `afterMs`. */
  readonly done: boolean;
}

/**
 * Counts the slots in (afterMs, untilMs]. Intervals are counted by arithmetic and always done; cron fires are visited
 * one by one, at most `limit` of them (a whole number from 1; default: no limit).
 *
 * @throws RecurrenceError as `nextFire` does, and `invalid_count`.
 */
export function countFires(
  recurrence: Recurrence,
  afterMs: number,
  untilMs: number,
  limit: number = Number.POSITIVE_INFINITY,
): FireCount {
  assertRecurrence(recurrence);
  const after = requireInstant(afterMs, 'afterMs');
  const until = requireInstant(untilMs, 'untilMs');
  if (limit !== Number.POSITIVE_INFINITY) {
    requireCount(limit, 'limit', 1, Number.MAX_SAFE_INTEGER);
  }
  if (recurrence.kind === 'interval') return countSlots(recurrence, after, until);
  let count = 0;
  let last: number | null = null;
  for (;;) {
    const next: number | null = nextFireMs(recurrence, last ?? after);
    if (next === null || next > until) return { count, last, done: true };
    if (count >= limit) return { count, last, done: false };
    count += 1;
    last = next;
  }
}

function countSlots(recurrence: IntervalRecurrence, after: number, until: number): FireCount {
  const last = lastIntervalSlot(recurrence, until);
  const count = (last - lastIntervalSlot(recurrence, after)) / recurrence.periodMs;
  return count > 0 ? { count, last, done: true } : { count: 0, last: null, done: true };
}

const SPAN_YEARS = 28;

/**
 * How often a recurrence fires in a day on average: an interval exactly, cron over the 28 years that begin with the
 * month of `after`, in which every date meets every weekday. Clock changes are left out.
 *
 * @throws RecurrenceError `invalid_date` or `not_a_recurrence`.
 */
export function firesPerDay(recurrence: Recurrence, after: Date): number {
  assertRecurrence(recurrence);
  const instant = requireInstant(after, 'after');
  if (recurrence.kind === 'interval') return DAY_MS / recurrence.periodMs;
  const { year, month } = civilFromDays(Math.floor(instant / DAY_MS));
  let days = 0;
  for (let offset = 0; offset < SPAN_YEARS * 12; offset += 1) {
    const index = month - 1 + offset;
    const thisYear = year + Math.floor(index / 12);
    const thisMonth = (index % 12) + 1;
    days += bitCount(
      matchingDays(recurrence, thisYear, thisMonth, daysFromMonth(thisYear, thisMonth)),
    );
  }
  const span = daysFromMonth(year + SPAN_YEARS, month) - daysFromMonth(year, month);
  const minutes = bitCount(recurrence.minutesLow) + bitCount(recurrence.minutesHigh);
  return (days / span) * minutes * bitCount(recurrence.hours);
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

function requireInstant(value: unknown, name: string): number {
  const instant = instantOf(value);
  if (instant !== null) return instant;
  throw new RecurrenceError('invalid_date', `${name} must be an instant that Date can hold.`, {
    facts: { [name]: value },
  });
}

function requireCount(value: number, name: string, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RecurrenceError(
    'invalid_count',
    `${name} must be a whole number from ${min} to ${max}.`,
    { facts: { [name]: value } },
  );
}
