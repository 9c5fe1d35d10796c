import { listed } from '@svc/core';
import type { CronRecurrence } from './cron.ts';
import { MONTH_NAMES, WEEKDAY_NAMES } from './cron-fields.ts';
import { valuesIn } from './cron-masks.ts';
import type { IntervalRecurrence } from './interval.ts';
import type { Recurrence } from './next-fire.ts';
import { assertRecurrence } from './recurrence.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts';
import { pad, ranges, stepsOf } from './wording.ts';

const MAX_TIMES = 6;

/**
 * A recurrence in one plain English sentence, such as `At 09:00, Monday through Friday (Europe/Berlin)`.
 *
 * @param options.withAnchor whether to tell what an interval is counted from; default true
 * @throws RecurrenceError `not_a_recurrence`.
 */
export function describe(
  recurrence: Recurrence,
  { withAnchor = true }: { readonly withAnchor?: boolean } = {},
): string {
  assertRecurrence(recurrence);
  if (recurrence.kind === 'cron') return describeCron(recurrence);
  return withAnchor ? describeInterval(recurrence) : `Every ${periodWords(recurrence.periodMs)}`;
}

function describeInterval({ periodMs, anchorMs }: IntervalRecurrence): string {
  const anchor = new Date(anchorMs).toISOString().replace('.000Z', 'Z');
  return `Every ${periodWords(periodMs)}, counted from ${anchor}`;
}

function periodWords(periodMs: number): string {
  // A day of the clock can have 23 or 25 hours, a day of an interval never has.
  if (periodMs % DAY_MS === 0 && periodMs > DAY_MS) return `${periodMs / HOUR_MS} hours`;
  if (periodMs % HOUR_MS === 0) return amount(periodMs / HOUR_MS, 'hour');
  if (periodMs % MINUTE_MS === 0) return amount(periodMs / MINUTE_MS, 'minute');
  return amount(periodMs / SECOND_MS, 'second');
}

function amount(count: number, unit: string): string {
  return count === 1 ? unit : `${count} ${unit}s`;
}

function describeCron(recurrence: CronRecurrence): string {
  const date = dateWords(recurrence);
  const { words, saysEveryDay } = timeWords(recurrence);
  const when = date === '' && !saysEveryDay ? ' every day' : date;
  return `${words}${when} (${recurrence.timezone ?? 'host-local time'})`;
}

interface TimeWords {
  readonly words: string;
  /** "Every 5 minutes" alone says every day already; "At 09:00" does not. */
  readonly saysEveryDay: boolean;
}

function timeWords(recurrence: CronRecurrence): TimeWords {
  const minutes = [...valuesIn(recurrence.minutesLow, 0), ...valuesIn(recurrence.minutesHigh, 30)];
  const hours = valuesIn(recurrence.hours, 0);
  if (minutes.length * hours.length <= MAX_TIMES) {
    const times = hours.flatMap((hour) => minutes.map((minute) => `${pad(hour)}:${pad(minute)}`));
    return { words: `At ${listed(times)}`, saysEveryDay: false };
  }
  const cadence = cadenceWords(minutes, hours);
  if (cadence !== null) return { words: cadence, saysEveryDay: true };
  return {
    words: `At ${minuteWords(minutes)} ${ofHours(hours)}`,
    saysEveryDay: hours.length === 24,
  };
}

/** Minutes that come at one even distance, or null when they do not. */
function cadenceWords(minutes: readonly number[], hours: readonly number[]): string | null {
  if (minutes.length === 1) return hourlyWords(minutes[0] ?? 0, hours);
  const period = minutes.length === 60 ? 1 : evenPeriod(minutes, 60);
  if (period === null) return null;
  return `Every ${amount(period, 'minute')}${duringHours(hours)}`;
}

function hourlyWords(minute: number, hours: readonly number[]): string | null {
  if (hours.length === 24) return minute === 0 ? 'Every hour' : null;
  const period = evenPeriod(hours, 24);
  return period === null ? null : `Every ${amount(period, 'hour')} from 00:${pad(minute)}`;
}

/** The distance of values that begin at 0 and divide the whole evenly, or null; at least two values. */
function evenPeriod(values: readonly number[], whole: number): number | null {
  const period = whole / values.length;
  const even = values.length > 1 && values.length < whole && Number.isInteger(period);
  return even && values.every((value, index) => value === index * period) ? period : null;
}

function minuteWords(minutes: readonly number[]): string {
  const steps = stepsOf(minutes);
  if (steps !== null) return `every ${steps.every} minute from ${steps.first} to ${steps.last}`;
  return `${minutes.length === 1 ? 'minute' : 'minutes'} ${ranges(minutes, String)}`;
}

function isRun(values: readonly number[]): boolean {
  return (values[values.length - 1] ?? 0) - (values[0] ?? 0) === values.length - 1;
}

function ofHours(hours: readonly number[]): string {
  if (hours.length === 24) return 'of every hour';
  if (hours.length === 1) return `of hour ${pad(hours[0] ?? 0)}`;
  const last = hours[hours.length - 1] ?? 0;
  if (isRun(hours)) return `of each hour from ${pad(hours[0] ?? 0)} to ${pad(last)}`;
  return `of ${namedHours(hours)}`;
}

function duringHours(hours: readonly number[]): string {
  if (hours.length === 24) return '';
  const last = hours[hours.length - 1] ?? 0;
  if (isRun(hours)) return ` from ${pad(hours[0] ?? 0)}:00 to ${pad(last)}:59`;
  return ` during ${namedHours(hours)}`;
}

function namedHours(hours: readonly number[]): string {
  const steps = stepsOf(hours);
  return steps === null
    ? `the hours ${ranges(hours, pad)}`
    : `every ${steps.every} hour from ${pad(steps.first)} to ${pad(steps.last)}`;
}

/** The days and months with a blank in front, or nothing when every day matches. */
function dateWords(recurrence: CronRecurrence): string {
  const days = valuesIn(recurrence.days, 1);
  const weekdays = valuesIn(recurrence.weekdays, 0);
  const allDays = days.length === 31;
  const allWeekdays = weekdays.length === 7;
  const months = monthWords(recurrence);
  if (recurrence.eitherDay && !allDays && !allWeekdays) {
    const comma = months === '' ? '' : `${months},`;
    return `${comma} on ${dayWords(days)} or on any ${weekdayNames(weekdays)}, when either matches`;
  }
  if (recurrence.eitherDay || (allDays && allWeekdays)) return months;
  if (allDays) {
    const words = weekdayWords(weekdays);
    return `${/^\w+ through \w+$/.test(words) ? ', ' : ' on '}${words}${months}`;
  }
  if (allWeekdays) return ` on ${dayWords(days)}${months}`;
  return ` on ${dayWords(days)}${months}, but only when that day is a ${weekdayNames(weekdays)}`;
}

function dayWords(days: readonly number[]): string {
  const steps = stepsOf(days);
  if (steps !== null) {
    return `every ${steps.every} day of the month from day ${steps.first} to day ${steps.last}`;
  }
  return `${days.length === 1 ? 'day' : 'days'} ${ranges(days, String)} of the month`;
}

/** Weekdays in the order of a week that begins on Monday, so that a weekend is one run. */
function weekdayWords(weekdays: readonly number[]): string {
  const mondayFirst = weekdays.map((day) => (day + 6) % 7).sort((a, b) => a - b);
  return ranges(mondayFirst, (day) => weekdayName((day + 1) % 7));
}

function weekdayNames(weekdays: readonly number[]): string {
  return listed(weekdays.map(weekdayName), 'or');
}

function weekdayName(day: number): string {
  return WEEKDAY_NAMES[day] ?? '';
}

function monthWords(recurrence: CronRecurrence): string {
  const months = valuesIn(recurrence.months, 1);
  if (months.length === 12) return '';
  return ` in ${ranges(months, (month) => MONTH_NAMES[month - 1] ?? '')}`;
}
