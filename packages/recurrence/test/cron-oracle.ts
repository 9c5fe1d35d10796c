import fc from 'fast-check';

const MINUTE = 60_000;

/** Local minus UTC at an instant, from the calendar that Intl prints. */
export function createOffset(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (
      format.format(instant).match(/\d+/g) ?? []
    ).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
  };
}

export interface Fields {
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly weekday: ReadonlySet<number>;
  readonly bothDays: boolean;
  readonly wildcard: boolean;
}

/** A second reading of numeric expressions, written as crontab(5) says it and sharing nothing with the package. */
export function readFields(expression: string): Fields {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.split(' ');
  const weekdays = expand(weekday, 0, 7);
  if (weekdays.has(7)) weekdays.add(0);
  return {
    minute: expand(minute, 0, 59),
    hour: expand(hour, 0, 23),
    day: expand(day, 1, 31),
    month: expand(month, 1, 12),
    weekday: weekdays,
    bothDays: day.startsWith('*') || weekday.startsWith('*'),
    wildcard: minute.startsWith('*') || hour.startsWith('*'),
  };
}

function expand(text: string, min: number, max: number): Set<number> {
  const values = new Set<number>();
  for (const element of text.split(',')) {
    const [range = '', step] = element.split('/');
    const [first = '', last] = range.split('-');
    const from = range === '*' ? min : Number(first);
    let to = Number(last ?? first);
    if (range === '*' || (last === undefined && step !== undefined)) to = max;
    for (let value = from; value <= to; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

export function fieldsMatch(fields: Fields, local: number): boolean {
  const date = new Date(local);
  const day = fields.day.has(date.getUTCDate());
  const weekday = fields.weekday.has(date.getUTCDay());
  return (
    fields.minute.has(date.getUTCMinutes()) &&
    fields.hour.has(date.getUTCHours()) &&
    fields.month.has(date.getUTCMonth() + 1) &&
    (fields.bothDays ? day && weekday : day || weekday)
  );
}

/** The fires in (after, until], by the loop of cron(8) walked one real minute at a time; both ends whole minutes. */
export function replayCron(
  fields: Fields,
  offsetAt: (instant: number) => number,
  after: number,
  until: number,
): number[] {
  const fires: number[] = [];
  // cron is started six hours earlier, so that a change just before `after` has been lived through.
  let now = after - 6 * 60 * MINUTE;
  let virtual = (now + offsetAt(now)) / MINUTE;
  const due = (minute: number, wild: boolean, fixed: boolean): boolean =>
    (fields.wildcard ? wild : fixed) && fieldsMatch(fields, minute * MINUTE);
  for (now += MINUTE; now <= until; now += MINUTE) {
    const running = (now + offsetAt(now)) / MINUTE;
    const jump = running - virtual;
    let fire = false;
    if (jump > 5 && jump <= 180) {
      fire = due(running, true, false);
      while (virtual < running) {
        virtual += 1;
        fire = due(virtual, false, true) || fire;
      }
    } else if (jump <= 0 && jump > -180) {
      fire = due(running, true, false);
    } else {
      virtual = running;
      fire = due(running, true, true);
    }
    if (fire && now > after) fires.push(now);
  }
  return fires;
}

function fieldArbitrary(min: number, max: number): fc.Arbitrary<string> {
  const value = fc.integer({ min, max });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: max + 5 });
  const element = fc.oneof(
    { weight: 4, arbitrary: value.map(String) },
    { weight: 2, arbitrary: range },
    { weight: 1, arbitrary: fc.tuple(range, step).map(([text, by]) => `${text}/${by}`) },
    { weight: 1, arbitrary: fc.tuple(value, step).map(([text, by]) => `${text}/${by}`) },
  );
  const list = fc.array(element, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(','));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    { weight: 2, arbitrary: step.map((by) => `*/${by}`) },
    { weight: 5, arbitrary: list },
    { weight: 1, arbitrary: list.map((text) => `*/7,${text}`) },
  );
}

/** Numeric expressions of the whole dialect; some of them can never fire. */
export const expressions: fc.Arbitrary<string> = fc
  .tuple(
    fieldArbitrary(0, 59),
    fieldArbitrary(0, 23),
    fieldArbitrary(1, 31),
    fieldArbitrary(1, 12),
    fieldArbitrary(0, 7),
  )
  .map((fields) => fields.join(' '));

/** Expressions that fire on every day, for looking at one change of the clock. */
export const dailyExpressions: fc.Arbitrary<string> = fc
  .tuple(fieldArbitrary(0, 59), fieldArbitrary(0, 23))
  .map(([minute, hour]) => `${minute} ${hour} * * *`);

/** Changes of the clock of many kinds: an hour, half an hour, two hours, three, a day; at midnight and after it. */
export const CHANGES: readonly (readonly [zone: string, instant: string])[] = [
  ['America/New_York', '2025-03-09T07:00:00Z'],
  ['America/New_York', '2025-11-02T06:00:00Z'],
  ['Europe/Berlin', '2025-03-30T01:00:00Z'],
  ['Europe/Berlin', '2025-10-26T01:00:00Z'],
  ['Australia/Lord_Howe', '2025-04-05T15:00:00Z'],
  ['Australia/Lord_Howe', '2025-10-04T15:30:00Z'],
  ['Pacific/Chatham', '2025-04-05T14:00:00Z'],
  ['Pacific/Chatham', '2025-09-27T14:00:00Z'],
  ['Antarctica/Troll', '2025-03-30T01:00:00Z'],
  ['Antarctica/Troll', '2025-10-26T01:00:00Z'],
  ['Antarctica/Casey', '2018-03-10T17:00:00Z'],
  ['Antarctica/Casey', '2018-10-06T20:00:00Z'],
  ['Antarctica/Vostok', '1994-01-31T17:00:00Z'],
  ['Antarctica/Vostok', '1994-11-01T00:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Pacific/Apia', '2012-03-31T14:00:00Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z'],
  ['America/Sao_Paulo', '2018-02-18T02:00:00Z'],
  ['Asia/Pyongyang', '2018-05-04T15:00:00Z'],
  ['Asia/Pyongyang', '2015-08-14T15:00:00Z'],
  ['America/Caracas', '2016-05-01T07:00:00Z'],
  ['Africa/Casablanca', '2025-02-23T02:00:00Z'],
  ['Africa/Casablanca', '2025-04-06T02:00:00Z'],
];
