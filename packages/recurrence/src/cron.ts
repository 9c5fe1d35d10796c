import { kindOf } from '@svc/core';
import { longestMonth } from './civil.ts';
import { DAY_OF_MONTH, DAY_OF_WEEK, HOUR, MINUTE, MONTH, MONTH_NAMES } from './cron-fields.ts';
import { type CronFieldReading, MAX_CRON_LENGTH, readCron, trimBlanks } from './cron-grammar.ts';
import { fieldValues, maskOf, valuesIn } from './cron-masks.ts';
import { createMemo } from './memo.ts';
import { type Parsed, type RecurrenceIssue, readOption, refused } from './result.ts';
import { timezoneFault } from './zones.ts';

/**
 * A cron expression, compiled to bit masks. Plain frozen data: it survives a copy through JSON.
 *
 * Follows crontab(5) and cron(8) of Debian's cron 3.0pl1.
 */
export interface CronRecurrence {
  readonly kind: 'cron';
  /** The expression as written, without blanks at either end. */
  readonly text: string;
  /** IANA name, or null for the zone of the host at the time of asking. */
  readonly timezone: string | null;
  /** Minutes 0 to 29, bit 0 standing for 0. */
  readonly minutesLow: number;
  /** Minutes 30 to 59, bit 0 standing for 30. */
  readonly minutesHigh: number;
  /** Hours, bit 0 standing for 0. */
  readonly hours: number;
  /** Days of the month, bit 0 standing for day 1. */
  readonly days: number;
  /** Months, bit 0 standing for January. */
  readonly months: number;
  /** Days of the week, bit 0 standing for Sunday. */
  readonly weekdays: number;
  /** True when a day matches by its day of the month or by its weekday; false when it must match by both. */
  readonly eitherDay: boolean;
  /** True when the minute or hour field begins with `*`: it then follows real time through clock changes. */
  readonly wildcard: boolean;
}

export interface ParseCronOptions {
  /** IANA time zone name such as `Europe/Berlin`. Default: the zone of the host. */
  readonly timezone?: string | undefined;
}

type Success = { readonly ok: true; readonly value: CronRecurrence };

const memo = createMemo<Success>(4096);

/**
 * Reads a cron expression: five fields as in crontab(5) of Debian, at most 256 characters, or `@daily` / `@hourly`.
 *
 * Never throws. An expression that can never fire is refused. The same text and zone may give the same frozen object.
 */
export function parseCron(text: string, options?: ParseCronOptions): Parsed<CronRecurrence>;
export function parseCron(text: unknown, options?: unknown): Parsed<CronRecurrence>;
export function parseCron(text: unknown, options?: unknown): Parsed<CronRecurrence> {
  const option = readOption(options, 'timezone');
  const timezone = 'value' in option ? option.value : null;
  const key = memoKey(text, timezone);
  const known = key === null ? undefined : memo.read(key);
  if (known !== undefined) return known;
  const fault = timezone === undefined ? null : timezoneFault(timezone);
  const faults: RecurrenceIssue[] = fault === null ? [] : [{ path: 'timezone', message: fault }];
  const compiled = compile(text, typeof timezone === 'string' ? timezone : null);
  if (!compiled.ok) return { ok: false, issues: [...compiled.issues, ...faults] };
  if (faults.length > 0) return { ok: false, issues: faults };
  const success = Object.freeze({ ok: true as const, value: Object.freeze(compiled.value) });
  return key === null ? success : memo.keep(key, success);
}

function memoKey(text: unknown, timezone: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX_CRON_LENGTH) return null;
  if (timezone === undefined) return `\n${text}`;
  if (typeof timezone !== 'string' || timezone === '' || timezone.length > 64) return null;
  return `${timezone}\n${text}`;
}

function compile(text: unknown, timezone: string | null): Parsed<CronRecurrence> {
  if (typeof text !== 'string') {
    return refused('cron', `is ${kindOf(text)}; use text such as "0 9 * * 1-5"`);
  }
  const reading = readCron(text);
  if (!reading.ok) return refused('cron', ...reading.messages);
  const recurrence = masksOf(trimBlanks(text), timezone, reading.fields);
  return canFire(recurrence)
    ? { ok: true, value: recurrence }
    : refused('cron', neverMessage(recurrence));
}

function masksOf(
  text: string,
  timezone: string | null,
  readings: readonly CronFieldReading[],
): CronRecurrence {
  const read = (field: CronFieldReading['field']): { values: number[]; star: boolean } => {
    const reading = readings.find((candidate) => candidate.field === field);
    return { values: fieldValues(field, reading?.elements ?? []), star: reading?.star ?? false };
  };
  const minute = read(MINUTE);
  const hour = read(HOUR);
  const day = read(DAY_OF_MONTH);
  const weekday = read(DAY_OF_WEEK);
  return {
    kind: 'cron',
    text,
    timezone,
    minutesLow: maskOf(minute.values, 0) & 0x3fffffff,
    minutesHigh: maskOf(minute.values, 30),
    hours: maskOf(hour.values, 0),
    days: maskOf(day.values, 1),
    months: maskOf(read(MONTH).values, 1),
    weekdays: maskOf(weekday.values, 0),
    eitherDay: !(day.star || weekday.star),
    wildcard: minute.star || hour.star,
  };
}

/** Whether any day can match: every date that exists meets every weekday sooner or later. */
function canFire(recurrence: CronRecurrence): boolean {
  if (recurrence.eitherDay) return true;
  const firstDay = Math.min(...valuesIn(recurrence.days, 1));
  return valuesIn(recurrence.months, 1).some((month) => firstDay <= longestMonth(month));
}

function neverMessage(recurrence: CronRecurrence): string {
  const months = valuesIn(recurrence.months, 1);
  const names = months.map((month) => MONTH_NAMES[month - 1]).join(', ');
  const longest = Math.max(...months.map(longestMonth));
  const days = valuesIn(recurrence.days, 1);
  const have = months.length === 1 ? 'has' : 'have';
  const no = `no day ${days.join(' or ')}`;
  return `never fires: ${names} ${have} ${no}; use a day up to ${longest}, or another month`;
}
