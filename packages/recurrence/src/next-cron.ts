import { civilFromDays, daysFromMonth, daysInMonth, weekdayOf } from './civil.ts';
import type { CronRecurrence } from './cron.ts';
import { nextBit } from './cron-masks.ts';
import { RecurrenceError } from './errors.ts';
import { DAY_MINUTES, DAY_MS, MAX_DATE_MS, MINUTE_MS } from './time.ts';
import type { Stretch, Zone } from './zone-table.ts';
import { hostOffset, hostZone, zoneNamed } from './zones.ts';

/** The longest wait for 29 February on a given weekday is 40 years, over a century year without a leap day. */
const HORIZON_MONTHS = 41 * 12;

/** The next instant after `after` at which a cron recurrence fires, or null when none is within reach of `Date`. */
export function nextCronFire(recurrence: CronRecurrence, after: number): number | null {
  if (recurrence.timezone === null) return nextHostFire(recurrence, after);
  const zone = zoneNamed(recurrence.timezone);
  if (zone === null) {
    throw new RecurrenceError('not_a_recurrence', 'The time zone of the recurrence is not known.', {
      facts: { timezone: recurrence.timezone },
    });
  }
  return search(recurrence, zone, after);
}

/** The host's zone can change while the process runs, so every answer is held against the host's own clock. */
function nextHostFire(recurrence: CronRecurrence, after: number): number | null {
  for (const fresh of [false, true]) {
    const zone = hostZone(fresh);
    const next = search(recurrence, zone, after);
    if (agreesWithHost(zone, after) && (next === null || agreesWithHost(zone, next))) return next;
  }
  throw noProgress(recurrence, after, null);
}

function agreesWithHost(zone: Zone, instant: number): boolean {
  return Math.abs(zone.stretchAt(instant).offset - hostOffset(instant)) < MINUTE_MS;
}

function search(recurrence: CronRecurrence, zone: Zone, after: number): number | null {
  let at = after + 1;
  while (at <= MAX_DATE_MS) {
    const stretch = zone.stretchAt(at);
    if (makesUp(recurrence, stretch, at))
      return checked(recurrence, zone, after, stretch.firstMinute);
    const lowest = lowestMinute(recurrence, stretch, at);
    const local = nextLocalMinute(recurrence, lowest);
    if (local === null) return null;
    const instant = local * MINUTE_MS - stretch.offset;
    if (instant > MAX_DATE_MS) return null;
    if (instant < stretch.to) return checked(recurrence, zone, after, instant);
    at = resumeAt(stretch, lowest, instant);
  }
  return null;
}

/** cron(8): a fixed expression whose minute was skipped fires at the first instant after the skip. */
function makesUp(recurrence: CronRecurrence, stretch: Stretch, at: number): boolean {
  if (recurrence.wildcard || stretch.skippedFrom === null || at > stretch.firstMinute) return false;
  const local = nextLocalMinute(recurrence, stretch.skippedFrom / MINUTE_MS);
  return local !== null && local * MINUTE_MS <= stretch.firstMinute + stretch.offset;
}

/** The first local minute worth trying; cron(8): a fixed expression does not repeat minutes already met. */
function lowestMinute(recurrence: CronRecurrence, stretch: Stretch, at: number): number {
  const minute = Math.ceil((at + stretch.offset) / MINUTE_MS);
  return recurrence.wildcard ? minute : Math.max(minute, stretch.metUntil / MINUTE_MS + 1);
}

/**
 * Where to continue once the stretch ends before its candidate: at its end, or shortly before the candidate when local
 * time cannot fall back below `lowest` in between.
 */
function resumeAt(stretch: Stretch, lowest: number, candidate: number): number {
  const near = candidate - 3 * DAY_MS;
  const safe = stretch.to + stretch.offset - 2 * DAY_MS >= lowest * MINUTE_MS;
  return safe && near > stretch.to ? near : stretch.to;
}

/** The first matching local minute at or after `lowest`, both counted from the local epoch. */
function nextLocalMinute(recurrence: CronRecurrence, lowest: number): number | null {
  const today = Math.floor(lowest / DAY_MINUTES);
  const start = civilFromDays(today);
  let { year, month } = start;
  let from = start.day;
  for (let count = 0; count <= HORIZON_MONTHS; count += 1) {
    const first = daysFromMonth(year, month);
    const days = matchingDays(recurrence, year, month, first);
    let day = nextBit(days, from - 1);
    if (day >= 0 && first + day === today) {
      const minute = nextMinuteOfDay(recurrence, lowest - today * DAY_MINUTES);
      if (minute >= 0) return today * DAY_MINUTES + minute;
      day = nextBit(days, day + 1);
    }
    if (day >= 0) return (first + day) * DAY_MINUTES + nextMinuteOfDay(recurrence, 0);
    from = 1;
    year = month === 12 ? year + 1 : year;
    month = month === 12 ? 1 : month + 1;
  }
  return null;
}

/** The matching days of a month, bit 0 standing for day 1; `first` is its first day counted from the epoch. */
export function matchingDays(
  recurrence: CronRecurrence,
  year: number,
  month: number,
  first: number,
): number {
  if ((recurrence.months & (1 << (month - 1))) === 0) return 0;
  const all = 0x7fffffff >>> (31 - daysInMonth(year, month));
  const weekday = weekdayOf(first);
  // The week turned so that bit 0 is the weekday of day 1, then repeated over the month.
  const week = ((recurrence.weekdays >>> weekday) | (recurrence.weekdays << (7 - weekday))) & 0x7f;
  const byWeekday = week | (week << 7) | (week << 14) | (week << 21) | (week << 28);
  const matching = recurrence.eitherDay ? recurrence.days | byWeekday : recurrence.days & byWeekday;
  return matching & all;
}

/** The first matching minute of the day at or after `from`, or -1. */
function nextMinuteOfDay(recurrence: CronRecurrence, from: number): number {
  const hour = Math.floor(from / 60);
  const thisHour = nextBit(recurrence.hours, hour);
  if (thisHour === hour) {
    const minute = nextMinute(recurrence, from - hour * 60);
    if (minute >= 0) return hour * 60 + minute;
  }
  const next = thisHour === hour ? nextBit(recurrence.hours, hour + 1) : thisHour;
  return next < 0 ? -1 : next * 60 + nextMinute(recurrence, 0);
}

function nextMinute(recurrence: CronRecurrence, from: number): number {
  const low = from < 30 ? nextBit(recurrence.minutesLow, from) : -1;
  if (low >= 0) return low;
  const high = nextBit(recurrence.minutesHigh, Math.max(from - 30, 0));
  return high < 0 ? -1 : high + 30;
}

/** The unconditional check of every answer: later than asked, a whole local minute, and matching or made up for. */
function checked(
  recurrence: CronRecurrence,
  zone: Zone,
  after: number,
  instant: number,
): number | null {
  if (instant > MAX_DATE_MS) return null;
  const stretch = zone.stretchAt(instant);
  const local = instant + stretch.offset;
  const sound = Number.isInteger(instant) && instant > after && local % MINUTE_MS === 0;
  if (sound && (matches(recurrence, local) || makesUp(recurrence, stretch, instant))) {
    return instant;
  }
  throw noProgress(recurrence, after, instant);
}

function matches(recurrence: CronRecurrence, local: number): boolean {
  const minutes = local / MINUTE_MS;
  const days = Math.floor(minutes / DAY_MINUTES);
  const { year, month, day } = civilFromDays(days);
  const minuteOfDay = minutes - days * DAY_MINUTES;
  const hour = Math.floor(minuteOfDay / 60);
  const minute = minuteOfDay - hour * 60;
  const minuteMask = minute < 30 ? recurrence.minutesLow : recurrence.minutesHigh;
  return (
    (matchingDays(recurrence, year, month, days - day + 1) & (1 << (day - 1))) !== 0 &&
    (recurrence.hours & (1 << hour)) !== 0 &&
    (minuteMask & (1 << (minute % 30))) !== 0
  );
}

function noProgress(
  recurrence: CronRecurrence,
  after: number,
  answer: number | null,
): RecurrenceError {
  return new RecurrenceError(
    'no_progress',
    'No next run could be computed that is later than the starting instant and matches the expression.',
    { facts: { cron: recurrence.text, timezone: recurrence.timezone, after, answer } },
  );
}
