type CronFieldName = 'minute' | 'hour' | 'day-of-month' | 'month' | 'day-of-week';

/** One field of a cron expression: its legal values and, where it has them, its three-letter names. */
export interface CronField {
  readonly name: CronFieldName;
  readonly min: number;
  readonly max: number;
  /** Full names in capitals, the first one standing for `firstName`; empty where only numbers are legal. */
  readonly names: readonly string[];
  readonly firstName: number;
}

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const WEEKDAY_NAMES = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

const months = MONTH_NAMES.map((name) => name.toUpperCase());
const weekdays = WEEKDAY_NAMES.map((name) => name.toUpperCase());

export const MINUTE: CronField = { name: 'minute', min: 0, max: 59, names: [], firstName: 0 };
export const HOUR: CronField = { name: 'hour', min: 0, max: 23, names: [], firstName: 0 };
export const DAY_OF_MONTH: CronField = {
  name: 'day-of-month',
  min: 1,
  max: 31,
  names: [],
  firstName: 1,
};
export const MONTH: CronField = { name: 'month', min: 1, max: 12, names: months, firstName: 1 };
export const DAY_OF_WEEK: CronField = {
  name: 'day-of-week',
  min: 0,
  max: 7,
  names: weekdays,
  firstName: 0,
};

/** The five fields in the order in which an expression has them. */
export const CRON_FIELDS: readonly CronField[] = [MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK];

/** The legal values of a field as a message says them. */
export function legalValues(field: CronField): string {
  if (field === MONTH) return '1 to 12 or JAN to DEC';
  if (field === DAY_OF_WEEK) return '0 to 7 (0 and 7 are Sunday) or SUN to SAT';
  return `${field.min} to ${field.max}`;
}
