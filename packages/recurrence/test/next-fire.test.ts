import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  countFires,
  firesPerDay,
  nextFire,
  nextFireMs,
  parseCron,
  parseInterval,
  type Recurrence,
  RecurrenceError,
  upcoming,
} from '@svc/recurrence';

function cron(text: string, timezone = 'UTC'): Recurrence {
  const parsed = parseCron(text, { timezone });
  if (!parsed.ok) throw new Error(parsed.issues.map((issue) => issue.message).join());
  return parsed.value;
}

function fires(recurrence: Recurrence, after: string, count: number): string[] {
  return upcoming(recurrence, new Date(after), count).map((date) =>
    date.toISOString().replace(':00.000Z', 'Z'),
  );
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RecurrenceError) return error.code;
    throw error;
  }
  return 'none';
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the next fire through changes of the clock', () => {
  it.each<[string, string, string, string, readonly string[]]>([
    [
      'fires a skipped fixed time once, at the first instant after the gap',
      '30 2 * * *',
      'Europe/Berlin',
      '2025-03-29T12:00:00Z',
      ['2025-03-30T01:00Z', '2025-03-31T00:30Z'],
    ],
    [
      'makes one fire of several skipped ones and the one at the end of the gap',
      '0,20,40 2,3 * * *',
      'Europe/Berlin',
      '2025-03-29T12:00:00Z',
      ['2025-03-30T01:00Z', '2025-03-30T01:20Z'],
    ],
    [
      'leaves out skipped times of a wildcard',
      '*/20 2 * * *',
      'Europe/Berlin',
      '2025-03-29T12:00:00Z',
      ['2025-03-31T00:00Z', '2025-03-31T00:20Z'],
    ],
    [
      'fires a repeated fixed time once, at its first pass',
      '30 2 * * *',
      'Europe/Berlin',
      '2025-10-25T12:00:00Z',
      ['2025-10-26T00:30Z', '2025-10-27T01:30Z'],
    ],
    [
      'does not fire a fixed time when asked within the second pass',
      '30 2 * * *',
      'Europe/Berlin',
      '2025-10-26T01:05:00Z',
      ['2025-10-27T01:30Z'],
    ],
    [
      'keeps both passes of a wildcard',
      '30 * * * *',
      'Europe/Berlin',
      '2025-10-26T00:00:00Z',
      ['2025-10-26T00:30Z', '2025-10-26T01:30Z', '2025-10-26T02:30Z'],
    ],
    [
      'takes @hourly for a wildcard',
      '@hourly',
      'Europe/Berlin',
      '2025-10-25T23:30:00Z',
      ['2025-10-26T00:00Z', '2025-10-26T01:00Z', '2025-10-26T02:00Z'],
    ],
    [
      'takes @daily for a fixed time, also where midnight is skipped',
      '@daily',
      'America/Sao_Paulo',
      '2018-11-03T12:00:00Z',
      ['2018-11-04T03:00Z', '2018-11-05T02:00Z'],
    ],
    [
      'knows half an hour',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2025-04-05T12:00:00Z',
      ['2025-04-05T14:45Z', '2025-04-06T15:15Z'],
    ],
    [
      'knows two hours',
      '30 1 * * *',
      'Antarctica/Troll',
      '2025-03-29T12:00:00Z',
      ['2025-03-30T01:00Z', '2025-03-30T23:30Z'],
    ],
    [
      'fires on the next day when the gap ends at midnight',
      '45 23 4 5 *',
      'Asia/Pyongyang',
      '2018-05-04T12:00:00Z',
      ['2018-05-04T15:00Z', '2019-05-04T14:45Z'],
    ],
    [
      'makes nothing up for a lost day',
      '0 12 * * *',
      'Pacific/Apia',
      '2011-12-29T12:00:00Z',
      ['2011-12-29T22:00Z', '2011-12-30T22:00Z'],
    ],
    [
      'makes nothing up for a gap of three hours',
      '30 5 * * *',
      'Antarctica/Casey',
      '2018-10-06T00:00:00Z',
      ['2018-10-07T18:30Z'],
    ],
    [
      'answers where other libraries go back in time',
      '*/15 * * * *',
      'Pacific/Chatham',
      '2025-04-05T13:50:00Z',
      ['2025-04-05T14:00Z', '2025-04-05T14:15Z', '2025-04-05T14:30Z'],
    ],
    [
      'knows quarter hours',
      '0 9 * * *',
      'Asia/Kathmandu',
      '2026-01-01T00:00:00Z',
      ['2026-01-01T03:15Z'],
    ],
    [
      'knows local time before standard time, to the second',
      '0 12 * * *',
      'Africa/Monrovia',
      '1971-06-01T00:00:00Z',
      ['1971-06-01T12:44:30.000Z'],
    ],
  ])('%s', (_, text, zone, after, expected) => {
    expect(fires(cron(text, zone), after, expected.length)).toEqual(expected);
  });
});

describe('the second pass of a wildcard', () => {
  it('is kept although the next match of the calendar is a year away', () => {
    const yearly = cron('*/30 1 2 11 *', 'America/New_York');
    expect(fires(yearly, '2025-11-02T05:30:00Z', 3)).toEqual([
      '2025-11-02T06:00Z',
      '2025-11-02T06:30Z',
      '2026-11-02T06:00Z',
    ]);
  });
});

describe('a correction of the clock by seven hours back', () => {
  it('fires a repeated fixed time in both passes', () => {
    expect(fires(cron('0 23 * * *', 'Antarctica/Vostok'), '1994-01-31T12:00:00Z', 2)).toEqual([
      '1994-01-31T16:00Z',
      '1994-01-31T23:00Z',
    ]);
  });
});

describe('the next fire far away', () => {
  it('finds the leap day over a century year without one', () => {
    expect(fires(cron('0 0 29 2 *', 'America/New_York'), '2096-06-01T00:00:00Z', 2)).toEqual([
      '2104-02-29T05:00Z',
      '2108-02-29T05:00Z',
    ]);
  });

  it('finds the leap day on one weekday, forty years on', () => {
    expect(fires(cron('0 0 29 2 */7'), '2088-03-01T00:00:00Z', 2)).toEqual([
      '2128-02-29T00:00Z',
      '2156-02-29T00:00Z',
    ]);
  });

  it('ends with the range of Date', () => {
    const last = new Date(8_640_000_000_000_000);
    expect(nextFire(cron('* * * * *'), last)).toBeNull();
    expect(
      nextFire(cron('0 0 1 1 *', 'Europe/Berlin'), new Date(last.getTime() - 86_400_000)),
    ).toBeNull();
    expect(upcoming(cron('0 0 * * *'), new Date(last.getTime() - 86_400_000), 5)).toEqual([last]);
  });

  it('begins with the range of Date', () => {
    const first = -8_640_000_000_000_000;
    expect(nextFireMs(cron('* * * * *'), first)).toBe(first + 60_000);
    expect(nextFireMs(cron('* * * * *', 'Europe/Berlin'), first)).toBeGreaterThan(first);
  });

  it('counts a part of a millisecond as already begun', () => {
    expect(nextFireMs(cron('* * * * *'), 59_999.9)).toBe(60_000);
    expect(nextFireMs(cron('* * * * *'), 60_000.5)).toBe(120_000);
  });
});

describe('mistakes of a caller', () => {
  const good = cron('0 9 * * *');
  const at = new Date(0);

  it.each([
    new Date(Number.NaN),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    8.7e15,
    '2026-01-01',
    null,
    undefined,
    {},
    { [Symbol.toStringTag]: 'Date' },
  ])('are an invalid date: %p', (after) => {
    expect(codeOf(() => nextFire(good, after as Date))).toBe('invalid_date');
    expect(codeOf(() => nextFireMs(good, after as number))).toBe('invalid_date');
    expect(codeOf(() => upcoming(good, after as Date, 1))).toBe('invalid_date');
    expect(codeOf(() => firesPerDay(good, after as Date))).toBe('invalid_date');
    expect(codeOf(() => countFires(good, 0, after as number))).toBe('invalid_date');
  });

  it.each([
    null,
    undefined,
    5,
    'x',
    {},
    { kind: 'cron' },
    { kind: 'interval' },
    { ...good, minutesLow: 0 },
    { ...good, hours: 2 ** 24 },
    { ...good, days: 1.5 },
    { ...good, timezone: 'Mars/Olympus' },
    { kind: 'interval', text: '1h', periodMs: 0, anchorMs: 0 },
    { kind: 'interval', text: '1h', periodMs: 1000, anchorMs: Number.NaN },
  ])('are no recurrence: %j', (garbage) => {
    expect(codeOf(() => nextFire(garbage as Recurrence, at))).toBe('not_a_recurrence');
  });

  it.each([-1, 1.5, Number.NaN, 10_001, '3'])('are no count: %p', (count) => {
    expect(codeOf(() => upcoming(good, at, count as number))).toBe('invalid_count');
  });

  it.each([0, -1, 1.5, Number.NaN])('are no limit: %p', (limit) => {
    expect(codeOf(() => countFires(good, 0, 1, limit))).toBe('invalid_count');
  });
});

describe('host-local time', () => {
  const script = `
    import { nextFire, parseCron } from '@svc/recurrence';
    const daily = parseCron('30 2 * * *').value;
    const say = (after) => console.log(nextFire(daily, new Date(after)).toISOString());
    say('2025-03-29T12:00:00Z');
    say('2025-10-25T12:00:00Z');
    process.env.TZ = 'America/New_York';
    say('2025-03-08T12:00:00Z');
    process.env.TZ = 'Asia/Kathmandu';
    say('2025-03-08T12:00:00Z');
  `;

  // proves: trigger.cron.host-local
  it('is the zone of the process at the time of asking', () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: new URL('..', import.meta.url),
      env: { PATH: process.env['PATH'], TZ: 'Europe/Berlin' },
      encoding: 'utf8',
    });
    expect(output.trim().split('\n')).toEqual([
      '2025-03-30T01:00:00.000Z',
      '2025-10-26T00:30:00.000Z',
      '2025-03-09T07:00:00.000Z',
      '2025-03-08T20:45:00.000Z',
    ]);
  });

  it('gives a typed error when the clock of the host contradicts itself', () => {
    const parsed = parseCron('0 9 * * *');
    if (!parsed.ok) throw new Error('refused');
    jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(1234);
    expect(codeOf(() => nextFire(parsed.value, new Date(0)))).toBe('no_progress');
  });
});

describe('counting fires', () => {
  it('counts in (after, until]', () => {
    const hourly = cron('0 * * * *');
    expect(countFires(hourly, 0, 3 * 3_600_000)).toEqual({
      count: 3,
      last: 10_800_000,
      done: true,
    });
    expect(countFires(hourly, 0, 3 * 3_600_000 - 1)).toEqual({
      count: 2,
      last: 7_200_000,
      done: true,
    });
    expect(countFires(hourly, 0, 0)).toEqual({ count: 0, last: null, done: true });
    expect(countFires(hourly, 5_000_000, 0)).toEqual({ count: 0, last: null, done: true });
  });

  it('can be done in slices', () => {
    const minutely = cron('* * * * *');
    const first = countFires(minutely, 0, 600_000, 4);
    expect(first).toEqual({ count: 4, last: 240_000, done: false });
    expect(countFires(minutely, first.last ?? 0, 600_000, 6)).toEqual({
      count: 6,
      last: 600_000,
      done: true,
    });
  });

  it('counts the slots of an interval by arithmetic over any span', () => {
    const parsed = parseInterval('1s', { anchor: 500 });
    if (!parsed.ok) throw new Error('refused');
    expect(countFires(parsed.value, 0, 8_640_000_000_000_000, 1)).toEqual({
      count: 8_640_000_000_000,
      last: 8_639_999_999_999_500,
      done: true,
    });
  });
});

describe('fires per day', () => {
  const perDay = (text: string): number =>
    firesPerDay(cron(text), new Date('2026-01-01T00:00:00Z'));

  it.each([
    ['* * * * *', 1440],
    ['*/5 * * * *', 288],
    ['@daily', 1],
    ['0,30 9-17 * * *', 18],
    ['0 9 * * 1-5', 5 / 7],
    ['0 9 * 7 *', (31 * 28) / 10_227],
    ['0 0 29 2 *', 7 / 10_227],
    ['0 9 1,15 * *', (24 * 28) / 10_227],
  ])('of %s are %d', (text, expected) => {
    expect(perDay(text)).toBeCloseTo(expected, 6);
  });

  it('of an interval are exact', () => {
    const parsed = parseInterval('90m', { anchor: 0 });
    expect(parsed.ok && firesPerDay(parsed.value, new Date(0))).toBe(16);
  });
});
