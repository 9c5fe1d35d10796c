/** A cron expression that the schedule builder can show. Days of the week: 0 is Sunday; sorted, at least one. */
export type CronPlan =
  | { readonly rhythm: 'hour'; readonly minute: number }
  | { readonly rhythm: 'day'; readonly hour: number; readonly minute: number }
  | {
      readonly rhythm: 'week';
      readonly days: readonly number[];
      readonly hour: number;
      readonly minute: number;
    }
  | {
      readonly rhythm: 'month';
      readonly day: number;
      readonly hour: number;
      readonly minute: number;
    };

export type ScheduleKind = CronPlan['rhythm'];

const MACROS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
};
const DAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Formats a plan as a cron expression. */
export function cronOf(plan: CronPlan): string {
  switch (plan.rhythm) {
    case 'hour':
      return `${plan.minute} * * * *`;
    case 'day':
      return `${plan.minute} ${plan.hour} * * *`;
    case 'week':
      return `${plan.minute} ${plan.hour} * * ${dayList(plan.days)}`;
    case 'month':
      return `${plan.minute} ${plan.hour} ${plan.day} * *`;
  }
}

/** Parses a cron expression; null when the builder cannot show it. */
export function planOf(cron: string): CronPlan | null {
  const text = cron.trim();
  const fields = (MACROS[text.toLowerCase()] ?? text).split(/\s+/);
  if (fields.length !== 5 || fields[3] !== '*') return null;
  const [minuteField = '', hourField = '', dayField = '', , weekField = ''] = fields;
  const minute = whole(minuteField, 0, 59);
  if (minute === null) return null;
  if (hourField === '*') {
    return dayField === '*' && weekField === '*' ? { rhythm: 'hour', minute } : null;
  }
  const hour = whole(hourField, 0, 23);
  return hour === null ? null : timed(dayField, weekField, { hour, minute });
}

/** Changes the schedule kind and keeps the time of day where possible. */
export function withKind(plan: CronPlan | null, rhythm: ScheduleKind): CronPlan {
  const minute = plan?.minute ?? 0;
  const hour = plan !== null && 'hour' in plan ? plan.hour : 9;
  switch (rhythm) {
    case 'hour':
      return { rhythm, minute };
    case 'day':
      return { rhythm, hour, minute };
    case 'week':
      return { rhythm, days: [1], hour, minute };
    case 'month':
      return { rhythm, day: 1, hour, minute };
  }
}

function timed(
  dayField: string,
  weekField: string,
  time: { readonly hour: number; readonly minute: number },
): CronPlan | null {
  if (dayField === '*' && weekField === '*') return { rhythm: 'day', ...time };
  if (weekField === '*') {
    const day = whole(dayField, 1, 31);
    return day === null ? null : { rhythm: 'month', day, ...time };
  }
  if (dayField !== '*') return null;
  const days = weekDays(weekField);
  return days === null ? null : { rhythm: 'week', days, ...time };
}

function whole(text: string, least: number, most: number): number | null {
  if (!/^\d{1,2}$/.test(text)) return null;
  const value = Number(text);
  return value >= least && value <= most ? value : null;
}

function weekDays(field: string): readonly number[] | null {
  const days = new Set<number>();
  for (const part of field.split(',')) {
    const [from, to, ...rest] = part.split('-').map(dayOf);
    const end = to === undefined ? from : to;
    if (typeof from !== 'number' || typeof end !== 'number' || end < from || rest.length > 0) {
      return null;
    }
    for (let day = from; day <= end; day += 1) days.add(day % 7);
  }
  return [...days].sort();
}

function dayOf(text: string): number | null {
  const named = DAY_NAMES.indexOf(text.toUpperCase());
  return named === -1 ? whole(text, 0, 7) : named;
}

function dayList(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of [...days].sort()) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(','))).join(',');
}

/** An interval as a number and a unit; the number may be empty while the user types. */
export interface Interval {
  readonly count: string;
  readonly unit: 's' | 'm' | 'h' | 'd' | 'w';
}

const INTERVAL = /^(\d*)\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/i;

/** Parses an interval; null when it has a different format. */
export function intervalOf(text: string): Interval | null {
  const [, count, unit] = INTERVAL.exec(text.trim()) ?? [];
  if (count === undefined || unit === undefined) return null;
  return { count, unit: unit.charAt(0).toLowerCase() as Interval['unit'] };
}
