import { describe, expect, it } from '@jest/globals';
import {
  countFires,
  type IntervalRecurrence,
  nextFire,
  nextFireMs,
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

describe('intervals', () => {
  // proves: trigger.interval.form
  it.each([
    ['1s', SECOND],
    ['1.5h', 5400 * SECOND],
    [' 2 weeks\t', 14 * DAY],
  ])('read %j as %d ms', (text, periodMs) => {
    expect(parseInterval(text, { anchor: 0 })).toMatchObject({
      ok: true,
      value: { kind: 'interval', text, periodMs },
    });
  });

  // proves: trigger.interval.form
  it.each([
    [30, 'has no unit'],
    ['0m', 'is zero'],
    ['1h30m', 'has more than one part'],
    [null, 'is null'],
  ])('refuse %p', (text, hint) => {
    expect(parseInterval(text, { anchor: 0 })).toEqual({
      ok: false,
      issues: [{ path: 'interval', message: expect.stringContaining(hint) }],
    });
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
        { path: 'anchor', message: expect.stringMatching(/use a valid Date or milliseconds/) },
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
