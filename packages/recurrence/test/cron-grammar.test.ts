import { describe, expect, it } from '@jest/globals';
import { type CronRecurrence, nextFire, parseCron, upcoming } from '@svc/recurrence';

function accepted(text: string): CronRecurrence {
  const parsed = parseCron(text, { timezone: 'UTC' });
  if (!parsed.ok) throw new Error(parsed.issues.map((issue) => issue.message).join());
  return parsed.value;
}

function masks(text: string): unknown {
  const { text: _text, ...rest } = accepted(text);
  return rest;
}

const SAME_MEANING: readonly (readonly [string, string])[] = [
  ['@daily', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
  ['  0 9 * * *\t', '0 9 * * *'],
  ['0\t9  * \t *   *', '0 9 * * *'],
  ['05 007 01 02 03', '5 7 1 2 3'],
  ['0 9 * JAN,feb,Mar MON-fri', '0 9 * 1-3 1-5'],
  ['0 9 * * 7', '0 9 * * 0'],
  ['0 9 * * 5-7', '0 9 * * 0,5,6'],
  ['0 9 * * 0-7', '0 9 * * 0-6'],
  ['0 9 * * 7-7', '0 9 * * SUN'],
  ['0 9 * * 1-7/6', '0 9 * * 0,1'],
  ['0 9 * * 5/2', '0 9 * * 0,5'],
  ['0 9 * * MON/2', '0 9 * * 0,1,3,5'],
  ['5/15 9 * * *', '5,20,35,50 9 * * *'],
  ['5/15 9 * * *', '5-59/15 9 * * *'],
  ['0 20/2 * * *', '0 20,22 * * *'],
  ['1,1,1 9 * * *', '1 9 * * *'],
  ['1-5,3 9 * * *', '1-5 9 * * *'],
  ['0-5,5,2-4/2 9 * * *', '0-5 9 * * *'],
  ['*/5,*/7 * 1 * *', '*/5,7,14,21,28,42,49,56 * 1 * *'],
  ['*/90 * * * *', '*/60 * * * *'],
  ['10-20/99 9 * * *', '10 9 * * *'],
  ['59/1 9 * * *', '59 9 * * *'],
  [`*/${'9'.repeat(200)} * * * *`, '*/60 * * * *'],
  ['0 9 */1 * 1', '0 9 * * 1'],
  ['0 9 31 * 1', '0 9 31 */1 1'],
  ['0 9 30 2 1', '0 9 30 FEB MON'],
];

const REFUSED: readonly (readonly [string, string])[] = [
  ['', '^has 0 fields, expected 5 fields'],
  ['5', '^has 1 field, expected 5 fields'],
  ['0 9 * *', '^has 4 fields, expected 5 fields'],
  ['* * * * * *', 'has 6 fields, .*seconds are not supported, leave the first field out'],
  ['0 0 9 * * 1 2026', 'has 7 fields, .*leave the first and the last field out'],
  ['@yearly', '"@yearly" is not supported: use "0 0 1 1 \\*"'],
  ['@annually', 'use "0 0 1 1 \\*"'],
  ['@monthly', 'use "0 0 1 \\* \\*"'],
  ['@weekly', 'use "0 0 \\* \\* 0"'],
  ['@midnight', 'use "@daily"'],
  ['@reboot', 'use a schedule such as'],
  ['@every 5m', 'use an interval'],
  ['@DAILY', 'use "@daily" in lower case'],
  ['@Hourly', 'use "@hourly" in lower case'],
  ['@daily UTC', 'nothing after it'],
  ['@fortnightly', 'only "@daily" and "@hourly"'],
  ['@', 'only "@daily" and "@hourly"'],
  ['TZ=UTC 0 9 * * *', 'set the zone in timezone'],
  ['CRON_TZ=Europe/Berlin 0 9 * * *', 'set the zone in timezone'],
  ['0 9 L * *', '^day-of-month: "L" uses "L" .*use day numbers'],
  ['0 9 L-3 * *', '^day-of-month: "L" uses "L"'],
  ['0 9 LW * *', '^day-of-month: "LW" uses "L"'],
  ['0 9 * * 5L', '^day-of-week: "5L" uses "L" .*use the weekday alone'],
  ['0 9 15W * *', '^day-of-month: "15W" uses "W" .*use "1-5" in day-of-week'],
  ['0 9 * * MON#1', '^day-of-week: "MON#1" uses "#" .*use the weekday alone'],
  ['0 9 #1 * *', '^day-of-month: "#1" uses "#"'],
  ['0 9 ? * 1', '^day-of-month: .*use "\\*"'],
  ['H 9 * * *', '^minute: "H" uses "H" .*use one value'],
  ['H/15 9 * * *', '^minute: "H/15" uses "H"'],
  ['H(0-29) 9 * * *', '^minute: .* uses "H"'],
  ['0~30 9 * * *', '^minute: "0~30" uses "~" .*use one value'],
  ['+5 9 * * *', '^minute: "\\+5" has a "\\+"'],
  ['-5 9 * * *', '^minute: "-5" is not understood'],
  ['1.5 9 * * *', '^minute: "1.5" has a character'],
  ['0 9 * * MONDAY', '^day-of-week: "MONDAY" is not a three-letter name; use "MON"'],
  ['0 9 * * tues', '^day-of-week: "tues" .*use "TUE"'],
  ['0 9 * January *', '^month: "January" .*use "JAN"'],
  ['0 9 * 1JAN *', '^month: "1JAN" joins digits and letters'],
  ['0 9 * JAN1 *', '^month: "JAN1" joins digits and letters'],
  ['0x5 9 * * *', '^minute: "0x5" joins digits and letters'],
  ['0 9 * MON *', '^month: "MON" is a name for the field day-of-week'],
  ['0 9 * * JAN', '^day-of-week: "JAN" is a name for the field month'],
  ['0 9 MON * *', '^day-of-month: "MON" is a name for the field day-of-week'],
  ['0 9 * * XYZ', '^day-of-week: "XYZ" is not a known name: must be 0 to 7'],
  ['0 22-2 * * *', '^hour: "22-2" runs backwards; use "22-23,0-2"'],
  ['50-5 9 * * *', '^minute: "50-5" runs backwards; use "50-59,0-5"'],
  ['0 9 28-3 * *', '^day-of-month: .*use "28-31,1-3"'],
  ['0 9 * NOV-FEB *', '^month: .*use "11-12,1-2"'],
  ['0 9 * * FRI-MON', '^day-of-week: .*use "5-6,0-1"'],
  ['0 9 * * FRI-SUN', '^day-of-week: .*use "5-7"'],
  ['*/0 9 * * *', '^minute: step "0" is invalid; use a whole number of 1 or more'],
  ['1-5/ 9 * * *', '^minute: step "" is invalid'],
  ['*/x 9 * * *', '^minute: step "x" is invalid'],
  ['60 9 * * *', '^minute: "60" is out of range: must be 0 to 59'],
  ['0 24 * * *', '^hour: "24" is out of range: must be 0 to 23'],
  ['0 9 0 * *', '^day-of-month: "0" is out of range: must be 1 to 31'],
  ['0 9 1-32 * *', '^day-of-month: "32" is out of range: must be 1 to 31'],
  ['0 9 * 13 *', '^month: "13" is out of range: must be 1 to 12'],
  ['0 9 * * 8', '^day-of-week: "8" is out of range: must be 0 to 7'],
  ['1,,2 9 * * *', '^minute: has an empty list element'],
  ['1, 2 9 * *', '^minute: has an empty list element'],
  ['1-2-3 9 * * *', '^minute: "1-2-3" is not understood'],
  ['*/2/3 9 * * *', '^minute: "\\*/2/3" is not understood; use "\\*" alone'],
  ['*5 9 * * *', '^minute: "\\*5" is not understood; use "\\*" alone'],
  ['0 9 * * *\n', 'control character .*on one line'],
  ['0 9\v* * *', 'control character'],
  ['0\u00a09 * * *', '"\\\\u00a0", which is not ASCII'],
  ['\u0660 9 * * *', '"\\\\u0660", which is not ASCII'],
  ['0 9 * * \uff11', 'which is not ASCII'],
  [`0 9 * * *${' '.repeat(248)}`, 'has 257 characters; use at most 256'],
  ['0 0 30 2 *', 'never fires: February has no day 30; .*up to 29'],
  ['0 0 31 4,6,9,11 *', 'never fires: .*up to 30'],
  ['0 0 30-31 2 */2', 'never fires'],
  ['0 0 31 2-6/2 *', 'never fires'],
];

describe('cron expressions', () => {
  // proves: trigger.cron.form
  it.each(SAME_MEANING)('reads %j as %j', (text, plain) => {
    expect(masks(text)).toEqual(masks(plain));
  });

  it('keeps the text as written, without blanks at the ends', () => {
    expect(accepted(' 0  9 * * MON\t').text).toBe('0  9 * * MON');
  });

  it('accepts 256 characters', () => {
    expect(accepted(`0 9 * * *${' '.repeat(247)}`).text).toBe('0 9 * * *');
  });

  // proves: trigger.cron.form
  it.each(REFUSED)('refuses %j', (text, hint) => {
    const parsed = parseCron(text);
    expect(parsed).toEqual({
      ok: false,
      issues: [{ path: 'cron', message: expect.stringMatching(new RegExp(hint)) }],
    });
  });

  it('names every faulty field', () => {
    const parsed = parseCron('61 25 32 13 9', { timezone: 'Mars/Olympus' });
    const said = parsed.ok
      ? []
      : parsed.issues.map(({ path, message }) => [path, message.split(/[: ]/)[0]]);
    expect(said).toEqual([
      ['cron', 'minute'],
      ['cron', 'hour'],
      ['cron', 'day-of-month'],
      ['cron', 'month'],
      ['cron', 'day-of-week'],
      ['timezone', '"Mars/Olympus"'],
    ]);
  });

  it.each([undefined, null, 5, true, {}, [], ['0 9 * * *'], () => 1, Symbol('x'), 5n])(
    'refuses %p, which is not a text',
    (value) => {
      expect(parseCron(value)).toMatchObject({ ok: false, issues: [{ path: 'cron' }] });
    },
  );

  it('may give the same frozen value for the same text and zone', () => {
    expect(accepted('7 7 * * *')).toBe(accepted('7 7 * * *'));
    expect(Object.isFrozen(accepted('7 7 * * *'))).toBe(true);
  });

  it('gives plain data that works after a copy through JSON', () => {
    const copy = JSON.parse(JSON.stringify(accepted('0 9 * * 1'))) as CronRecurrence;
    expect(nextFire(copy, new Date('2026-01-01T00:00:00Z'))).toEqual(
      new Date('2026-01-05T09:00:00Z'),
    );
  });
});

describe('days of month and week', () => {
  const days = (text: string): string[] =>
    upcoming(accepted(text), new Date('2026-01-31T12:00:00Z'), 4).map((date) =>
      date.toISOString().slice(0, 10),
    );

  it.each<[string, string, readonly string[]]>([
    [
      'either, when both are restricted',
      '0 0 13 * 5',
      ['2026-02-06', '2026-02-13', '2026-02-20', '2026-02-27'],
    ],
    [
      'both, when the day of month begins with a star',
      '0 0 */2 * 1',
      ['2026-02-09', '2026-02-23', '2026-03-09', '2026-03-23'],
    ],
    [
      'both, when the day of week begins with a star',
      '0 0 13 * */5',
      ['2026-02-13', '2026-03-13', '2026-09-13', '2026-11-13'],
    ],
    [
      'the day of month alone beside */1',
      '0 0 3 * */1',
      ['2026-02-03', '2026-03-03', '2026-04-03', '2026-05-03'],
    ],
    [
      'every day, when a list only contains a star',
      '0 0 13 * 5,*',
      ['2026-02-01', '2026-02-02', '2026-02-03', '2026-02-04'],
    ],
    [
      'both, when a list begins with a star',
      '0 0 13 * *,5',
      ['2026-02-13', '2026-03-13', '2026-04-13', '2026-05-13'],
    ],
    [
      'Mondays, when the date never comes',
      '0 0 30 2 1',
      ['2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23'],
    ],
  ])('match %s: %s', (_, text, expected) => {
    expect(days(text)).toEqual(expected);
  });
});

describe('time zones', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'europe/berlin',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+12',
    'EST5EDT',
    'CET',
    'W-SU',
  ])('accepts %s', (timezone) => {
    const parsed = parseCron('0 9 * * *', { timezone });
    expect(parsed).toMatchObject({ ok: true, value: { timezone } });
  });

  it.each([
    '',
    ' ',
    'Europe',
    'Europe/',
    'Mars/Olympus',
    'PST',
    'ist',
    '+02:00',
    'UTC+2',
    'EST5EDT,M3.2.0,M11.1.0',
    ':Europe/Berlin',
    '/etc/localtime',
    'localtime',
    'Europe/Berl\u00edn',
    'x'.repeat(10_000),
  ])('refuses %j', (timezone) => {
    expect(parseCron('0 9 * * *', { timezone })).toEqual({
      ok: false,
      issues: [{ path: 'timezone', message: expect.stringMatching(/write an IANA name/) }],
    });
  });

  it('refuses an empty name also after the expression was parsed without one', () => {
    expect(parseCron('0 9 * * 1').ok).toBe(true);
    expect(parseCron('0 9 * * 1', { timezone: '' }).ok).toBe(false);
  });

  it.each([null, 5, {}, ['UTC'], true])('refuses %p, which is not a text', (timezone) => {
    expect(parseCron('0 9 * * *', { timezone })).toMatchObject({
      ok: false,
      issues: [{ path: 'timezone' }],
    });
  });

  it('refuses options that cannot be read', () => {
    const options = {
      get timezone(): string {
        throw new Error('no');
      },
    };
    expect(parseCron('0 9 * * *', options)).toMatchObject({
      ok: false,
      issues: [{ path: 'timezone' }],
    });
  });
});
