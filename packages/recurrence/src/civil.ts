/** A day of the proleptic Gregorian calendar. Months and days count from 1. */
export interface CivilDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const DAYS_PER_ERA = 146_097;
// A year that starts in March ends with the leap day, so that month lengths need no exception.
const EPOCH_FROM_MARCH_0000 = 719_468;

/** The date of a day counted from 1970-01-01. */
export function civilFromDays(days: number): CivilDay {
  const shifted = days + EPOCH_FROM_MARCH_0000;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** The day counted from 1970-01-01 of the first of a month. */
export function daysFromMonth(year: number, month: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const marchMonth = month > 2 ? month - 3 : month + 9;
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5);
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_FROM_MARCH_0000;
}

/** The weekday of a day counted from 1970-01-01: 0 is Sunday, 6 Saturday. */
export function weekdayOf(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** The most days that a month ever has: 29 for February. */
export function longestMonth(month: number): number {
  return month === 2 ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}

export function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}
