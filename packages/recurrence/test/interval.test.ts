import { describe, expect, it } from '@jest/globals';
import {
  countFires,
  type IntervalRecurrence,
  nextFire,
  nextFireMs,
  parseDuration,
  parseInterval,
} from '@svc/recurrence';
import fc from 'fast-check';

const SECOND = 1000;
const DAY = 86_400_000;

function every(text: string, anchor: Date | number): IntervalRecurrence {
  const parsed = parseInterval(text, { anchor });
  if (!parsed.ok) throw new Error(parsed.issues.map((issue) => issue.message).join());
  return parsed.value;
}

const ACCEPTED: readonly (readonly [string, number])[] = [
  ['1s', SECOND],
  ['30s', 30 * SECOND],
  ['90 sec', 90 * SECOND],
  ['2 secs', 2 * SECOND],
  ['1 second', SECOND],
  ['45 seconds', 45 * SECOND],
  ['15m', 900 * SECOND],
  ['5 min', 300 * SECOND],
  ['5 mins', 300 * SECOND],
  ['1 minute', 60 * SECOND],
  ['90 minutes', 5400 * SECOND],
  ['1.5h', 5400 * SECOND],
  ['1 hr', 3600 * SECOND],
  ['2 hrs', 7200 * SECOND],
  ['1 hour', 3600 * SECOND],
  ['12 hours', DAY / 2],
  ['1 day', DAY],
  ['2d', 2 * DAY],
  ['3 days', 3 * DAY],
  ['1w', 7 * DAY],
  ['1 week', 7 * DAY],
  ['2 weeks', 14 * DAY],
  ['366d', 366 * DAY],
  ['0.5s', SECOND],
  ['1.4s', SECOND],
  ['0.01m', SECOND],
  ['007m', 420 * SECOND],
  [' 30m\t', 1800 * SECOND],
  ['30 \t m', 1800 * SECOND],
];

const REFUSED: readonly (readonly [unknown, string])[] = [
  ['30', '"30" has no unit; write "30m"'],
  [30, '"30" has no unit; write "30m"'],
  [1.5, 'has no unit'],
  [Number.NaN, 'has no unit'],
  ['', 'is empty; write one number and one unit'],
  ['  ', 'is empty'],
  ['0m', 'is zero when rounded to whole seconds; write "1s"'],
  ['0.4s', 'is zero'],
  ['-5m', 'has a sign; write the number without it'],
  ['+5m', 'has a sign'],
  ['.5h', 'begins with a point; write "0.5h"'],
  ['1y', 'is in years, .*write days, up to "366d"'],
  ['2 years', 'is in years'],
  ['1mo', 'is in months, .*write days, such as "30d"'],
  ['3 months', 'is in months'],
  ['500ms', 'is in milliseconds; write whole seconds'],
  ['30M', 'unit in capitals; write "m"'],
  ['1 Day', 'unit in capitals; write "day"'],
  ['5x', 'unknown unit "x"; write one number and one unit'],
  ['367d', 'is longer than 366 days; write "366d" or less'],
  ['53 weeks', 'is longer than 366 days'],
  [`${'9'.repeat(60)}w`, 'is longer than 366 days'],
  [`${'9'.repeat(64)}w`, 'has 65 characters'],
  ['1h30m', 'more than one part; .*such as "90m"'],
  ['1h 30m', 'such as "90m"'],
  ['1 hour and 30 minutes', 'such as "90m"'],
  ['1d12h', 'such as "36h"'],
  ['1m1s', 'such as "61s"'],
  ['1h30', 'is not a duration'],
  ['PT30M', 'is not in this form; write one number and one unit'],
  ['1e3s', 'is not a duration'],
  ['1,5h', 'is not a duration'],
  ['m', 'is not a duration'],
  ['every 5m', 'is not a duration'],
  ['5\nm', 'is not a duration'],
  ['5\u00a0m', 'is not a duration'],
  ['\u0663m', 'is not a duration'],
  [null, 'is null'],
  [undefined, 'is undefined'],
  [true, 'is a boolean'],
  [['5m'], 'is a list'],
  [{}, 'is an object'],
];

describe('durations', () => {
  // proves: trigger.interval.form
  it.each(ACCEPTED)('read %j as %d ms', (text, expected) => {
    expect(parseDuration(text)).toEqual({ ok: true, value: expected });
    expect(parseInterval(text, { anchor: 0 })).toMatchObject({
      ok: true,
      value: { kind: 'interval', text, periodMs: expected },
    });
  });

  // proves: trigger.interval.form
  it.each(REFUSED)('refuse %p', (text, hint) => {
    const issue = (path: string): unknown => ({
      ok: false,
      issues: [{ path, message: expect.stringMatching(new RegExp(`^(?!${path}).*${hint}`)) }],
    });
    expect(parseDuration(text)).toEqual(issue('duration'));
    expect(parseInterval(text, { anchor: 0 })).toEqual(issue('interval'));
  });
});

describe('anchors', () => {
  it('are dates or milliseconds, kept in whole milliseconds', () => {
    expect(every('1h', new Date(5)).anchorMs).toBe(5);
    expect(every('1h', 5.9).anchorMs).toBe(5);
  });

  it.each([
    undefined,
    null,
    '2026-01-01',
    new Date(Number.NaN),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    8.7e15,
    {},
  ])('are not %p', (anchor) => {
    expect(parseInterval('1h', { anchor })).toEqual({
      ok: false,
      issues: [
        { path: 'anchor', message: expect.stringMatching(/write a valid Date or milliseconds/) },
      ],
    });
  });

  it.each([undefined, null, 5, 'x'])('are required: options %p', (options) => {
    expect(parseInterval('1h', options)).toMatchObject({ ok: false, issues: [{ path: 'anchor' }] });
  });

  it('and interval are both named when both are at fault', () => {
    const parsed = parseInterval('x', {});
    expect(parsed.ok ? [] : parsed.issues.map((issue) => issue.path)).toEqual([
      'interval',
      'anchor',
    ]);
  });
});

describe('slots of an interval', () => {
  it('lie on the grid through the anchor, never on the starting instant', () => {
    const anchor = new Date('2026-01-01T00:00:00Z');
    const hourly = every('90m', anchor);
    expect(nextFire(hourly, anchor)).toEqual(new Date('2026-01-01T01:30:00Z'));
    expect(nextFire(hourly, new Date('2026-01-01T01:29:59.999Z'))).toEqual(
      new Date('2026-01-01T01:30:00Z'),
    );
    expect(nextFire(hourly, new Date('2026-01-01T01:30:00Z'))).toEqual(
      new Date('2026-01-01T03:00:00Z'),
    );
  });

  it('keep their distance through a change of the clock', () => {
    const daily = every('24h', new Date('2025-03-29T08:00:00Z'));
    expect(nextFire(daily, new Date('2025-03-30T00:00:00Z'))).toEqual(
      new Date('2025-03-30T08:00:00Z'),
    );
  });

  it('also come before an anchor in the future', () => {
    expect(nextFireMs(every('1h', 10 * DAY), 0)).toBe(3_600_000);
  });

  it('end with the range of Date', () => {
    expect(nextFireMs(every('1h', 0), 8_640_000_000_000_000)).toBeNull();
  });

  it('obey the laws of a grid', () => {
    const instants = fc.integer({ min: -4_000_000_000_000, max: 8_000_000_000_000 });
    const periods = fc.integer({ min: 1, max: 366 * 86_400 });
    fc.assert(
      fc.property(periods, instants, instants, (seconds, anchor, after) => {
        const interval = every(`${seconds}s`, anchor);
        const next = nextFireMs(interval, after) ?? Number.NaN;
        expect(next).toBeGreaterThan(after);
        expect(next - after).toBeLessThanOrEqual(seconds * SECOND);
        expect(Math.abs((next - anchor) % (seconds * SECOND))).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('are as many as are counted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: -50_000, max: 50_000 }),
        fc.integer({ min: -50_000, max: 50_000 }),
        fc.integer({ min: -1000, max: 50_000 }),
        (seconds, anchor, after, span) => {
          const interval = every(`${seconds}s`, anchor);
          const slots: number[] = [];
          let at = nextFireMs(interval, after) ?? 0;
          for (; at <= after + span; at = nextFireMs(interval, at) ?? 0) slots.push(at);
          expect(countFires(interval, after, after + span)).toEqual({
            count: slots.length,
            last: slots.at(-1) ?? null,
            done: true,
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});
