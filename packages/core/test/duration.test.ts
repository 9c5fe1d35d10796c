import { expect, it } from '@jest/globals';
import { MAX_DURATION_MS, parseDuration } from '@svc/core';

const SECOND = 1000;
const DAY = 86_400_000;

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
  ['30', '"30" has no unit; use "30m"'],
  [30, '"30" has no unit; use "30m"'],
  [1.5, 'has no unit'],
  [Number.NaN, 'has no unit'],
  ['', 'is empty; use one number and one unit'],
  ['  ', 'is empty'],
  ['0m', 'is zero when rounded to whole seconds; use "1s"'],
  ['0.4s', 'is zero'],
  ['-5m', 'has a sign; use the number without it'],
  ['+5m', 'has a sign'],
  ['.5h', 'starts with a decimal point; use "0.5h"'],
  ['1y', 'is in years, .*use days, up to "366d"'],
  ['2 years', 'is in years'],
  ['1mo', 'is in months, .*use days, such as "30d"'],
  ['3 months', 'is in months'],
  ['500ms', 'is in milliseconds; use whole seconds'],
  ['30M', 'upper-case unit; use "m"'],
  ['1 Day', 'upper-case unit; use "day"'],
  ['5x', 'unknown unit "x"; use one number and one unit'],
  ['367d', 'is longer than 366 days; use "366d" or less'],
  ['53 weeks', 'is longer than 366 days'],
  [`${'9'.repeat(60)}w`, 'is longer than 366 days'],
  [`${'9'.repeat(64)}w`, 'has 65 characters'],
  ['1h30m', 'more than one part; .*such as "90m"'],
  ['1h 30m', 'such as "90m"'],
  ['1 hour and 30 minutes', 'such as "90m"'],
  ['1d12h', 'such as "36h"'],
  ['1m1s', 'such as "61s"'],
  ['1h30', 'is not a duration'],
  ['PT30M', 'is an ISO 8601 duration, which is not supported; use one number and one unit'],
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

it.each(ACCEPTED)('%j is a duration of %d ms', (text, expected) => {
  expect(parseDuration(text)).toEqual({ ok: true, value: expected });
});

it.each(REFUSED)('%p is refused', (text, hint) => {
  const pattern = new RegExp(`^(?!duration|window).*${hint}`);
  for (const path of ['duration', 'window']) {
    expect(parseDuration(text, ...(path === 'duration' ? [] : [path]))).toEqual({
      ok: false,
      issues: [{ path, message: expect.stringMatching(pattern) }],
    });
  }
});

it('a text of any length is answered at once', () => {
  for (const text of ['*'.repeat(5_000_000), ' '.repeat(5_000_000), '9'.repeat(5_000_000)]) {
    expect(parseDuration(text).ok).toBe(false);
  }
});

it('the longest duration is accepted', () => {
  expect(parseDuration('366d')).toEqual({ ok: true, value: MAX_DURATION_MS });
});
