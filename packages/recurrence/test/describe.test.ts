import { describe, expect, it } from '@jest/globals';
import {
  describe as describeRecurrence,
  parseCron,
  parseInterval,
  RecurrenceError,
} from '@svc/recurrence';

const CRON: readonly (readonly [string, string])[] = [
  ['0 9 * * 1-5', 'At 09:00, Monday through Friday'],
  ['@daily', 'At 00:00 every day'],
  ['@hourly', 'Every hour'],
  ['0 */1 * * *', 'Every hour'],
  ['* * * * *', 'Every minute'],
  ['*/1 * * * *', 'Every minute'],
  ['*/5 * * * *', 'Every 5 minutes'],
  ['*/5 * * * 1', 'Every 5 minutes on Monday'],
  ['30 * * * *', 'At minute 30 of every hour'],
  ['*/7 * * * *', 'At every 7th minute from 0 to 56 of every hour'],
  ['5/15 * * * *', 'At minutes 5, 20, 35 and 50 of every hour'],
  ['1-59/2 * * * *', 'At every 2nd minute from 1 to 59 of every hour'],
  ['0 */2 * * *', 'Every 2 hours from 00:00'],
  ['5 */2 * * *', 'Every 2 hours from 00:05'],
  ['15 */6 * * *', 'At 00:15, 06:15, 12:15 and 18:15 every day'],
  ['0 */5 * * *', 'At 00:00, 05:00, 10:00, 15:00 and 20:00 every day'],
  ['0 1-23/2 * * *', 'At minute 0 of every 2nd hour from 01 to 23 every day'],
  ['0 9-17 * * *', 'At minute 0 of each hour from 09 to 17 every day'],
  ['* 9-17 * * *', 'Every minute from 09:00 to 17:59'],
  ['*/15 9-17 * * 1-5', 'Every 15 minutes from 09:00 to 17:59, Monday through Friday'],
  ['*/5 1,3,5 * * *', 'Every 5 minutes during the hours 01, 03 and 05'],
  ['*/7 3 * * *', 'At every 7th minute from 0 to 56 of hour 03 every day'],
  ['0,30 8,18 * * *', 'At 08:00, 08:30, 18:00 and 18:30 every day'],
  ['0 9 1 1,7 *', 'At 09:00 on day 1 of the month in January and July'],
  ['0 9 1-7,15 * *', 'At 09:00 on days 1 through 7 and 15 of the month'],
  ['0 9 */2 * *', 'At 09:00 on every 2nd day of the month from day 1 to day 31'],
  ['0 9 * 6-8 6,7', 'At 09:00 on Saturday and Sunday in June through August'],
  ['0 9 * * 5-7', 'At 09:00, Friday through Sunday'],
  ['* * * 2 *', 'Every minute in February'],
  ['0 9 13 * 5', 'At 09:00 on day 13 of the month or on any Friday, when either matches'],
  [
    '0 0 29 2 1',
    'At 00:00 in February, on day 29 of the month or on any Monday, when either matches',
  ],
  ['0 9 13 * */5', 'At 09:00 on day 13 of the month, but only when that day is a Sunday or Friday'],
  [
    '0 9 */15 3 1',
    'At 09:00 on days 1, 16 and 31 of the month in March, but only when that day is a Monday',
  ],
  ['0 9 */1 * 1', 'At 09:00 on Monday'],
  ['0 9 3 * */1', 'At 09:00 on day 3 of the month'],
  ['0 9 1-31 * 1', 'At 09:00 every day'],
  ['0 9 3 * 0-6', 'At 09:00 every day'],
  ['0 9 3 * 1,*', 'At 09:00 every day'],
];

const INTERVALS: readonly (readonly [string, string])[] = [
  ['90m', 'Every 90 minutes'],
  ['1.5h', 'Every 90 minutes'],
  ['1s', 'Every second'],
  ['90s', 'Every 90 seconds'],
  ['60s', 'Every minute'],
  ['1h', 'Every hour'],
  ['1 day', 'Every 24 hours'],
  ['36h', 'Every 36 hours'],
  ['1w', 'Every 168 hours'],
];

describe('descriptions', () => {
  it.each(CRON)('of %s are: %s', (text, expected) => {
    const parsed = parseCron(text, { timezone: 'Europe/Berlin' });
    expect(parsed.ok && describeRecurrence(parsed.value)).toBe(`${expected} (Europe/Berlin)`);
  });

  it('say when the zone is that of the host', () => {
    const parsed = parseCron('0 9 * * *');
    expect(parsed.ok && describeRecurrence(parsed.value)).toBe(
      'At 09:00 every day (host-local time)',
    );
  });

  it.each(INTERVALS)(
    'of the interval %s end before what it is counted from, which no caller requests',
    (text, expected) => {
      const parsed = parseInterval(text, { anchor: new Date(0) });
      const words = parsed.ok ? describeRecurrence(parsed.value, { withAnchor: false }) : '';
      expect(words).not.toBe('');
      expect(expected.split(', counted from ')[0]).toBe(words);
    },
  );

  it.each(INTERVALS)('of the interval %s are: %s', (text, expected) => {
    const parsed = parseInterval(text, { anchor: new Date('2026-01-01T00:00:00Z') });
    expect(parsed.ok && describeRecurrence(parsed.value)).toBe(
      `${expected}, counted from 2026-01-01T00:00:00Z`,
    );
  });

  it('keep the milliseconds of an anchor', () => {
    const parsed = parseInterval('1h', { anchor: 1 });
    expect(parsed.ok && describeRecurrence(parsed.value)).toBe(
      'Every hour, counted from 1970-01-01T00:00:00.001Z',
    );
  });

  it('are given for recurrences only', () => {
    expect(() => describeRecurrence({} as never)).toThrow(RecurrenceError);
  });
});
