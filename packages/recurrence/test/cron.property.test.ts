import { describe, expect, it } from '@jest/globals';
import {
  type CronRecurrence,
  countFires,
  describe as describeRecurrence,
  nextFireMs,
  parseCron,
  parseInterval,
} from '@svc/recurrence';
import fc from 'fast-check';
import {
  CHANGES,
  createOffset,
  dailyExpressions,
  expressions,
  fieldsMatch,
  readFields,
  replayCron,
} from './cron-oracle.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const zones = [...new Set(CHANGES.map(([zone]) => zone))];
const offsets = new Map(zones.map((zone) => [zone, createOffset(zone)]));
const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) });

function offsetOf(zone: string): (instant: number) => number {
  const offset = offsets.get(zone);
  if (offset === undefined) throw new Error(zone);
  return offset;
}

function compile(text: string, timezone: string): CronRecurrence | null {
  const parsed = parseCron(text, { timezone });
  return parsed.ok ? parsed.value : null;
}

function visit(recurrence: CronRecurrence, after: number, until: number): number[] {
  const fires: number[] = [];
  let at = nextFireMs(recurrence, after);
  while (at !== null && at <= until) {
    fires.push(at);
    at = nextFireMs(recurrence, at);
  }
  return fires;
}

describe('next fires of cron', () => {
  it.each(CHANGES)(
    'are those of a replayed cron around the change in %s at %s',
    (zone, instant) => {
      fc.assert(
        fc.property(dailyExpressions, fc.integer({ min: -30, max: 6 }), (text, hours) => {
          const after = Date.parse(instant) + hours * HOUR;
          const until = Date.parse(instant) + 12 * HOUR;
          const recurrence = compile(text, zone);
          if (recurrence === null) throw new Error(`refused: ${text}`);
          expect(visit(recurrence, after, until)).toEqual(
            replayCron(readFields(text), offsetOf(zone), after, until),
          );
        }),
        { numRuns: 12 },
      );
    },
  );

  it('are later than asked and a whole minute, and match or follow a gap', () => {
    fc.assert(
      fc.property(expressions, fc.constantFrom(...zones), instants, (text, zone, after) => {
        const recurrence = compile(text, zone);
        if (recurrence === null) return;
        const next = nextFireMs(recurrence, after);
        if (next === null) throw new Error(`ended: ${text}`);
        const offset = offsetOf(zone);
        expect(next).toBeGreaterThan(after);
        expect(next % MINUTE).toBe(0);
        const made = fieldsMatch(readFields(text), next + offset(next));
        const afterGap = offset(next) > offset(next - MINUTE) && !recurrence.wildcard;
        expect(made || afterGap).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('are the first match in a zone without changes', () => {
    fc.assert(
      fc.property(expressions, instants, (text, after) => {
        const recurrence = compile(text, 'UTC');
        if (recurrence === null) return;
        const fields = readFields(text);
        const next = nextFireMs(recurrence, after) ?? 0;
        expect(fieldsMatch(fields, next)).toBe(true);
        const first = Math.floor(after / MINUTE) * MINUTE + MINUTE;
        const earlier = [];
        for (let at = first; at < Math.min(next, first + 3 * DAY); at += MINUTE) {
          if (fieldsMatch(fields, at)) earlier.push(at);
        }
        expect(earlier).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('never move back when asked later', () => {
    fc.assert(
      fc.property(
        expressions,
        fc.constantFrom(...CHANGES),
        fc.integer({ min: -3 * DAY, max: DAY }),
        fc.integer({ min: 0, max: 3 * DAY }),
        (text, [zone, instant], start, later) => {
          const recurrence = compile(text, zone);
          if (recurrence === null) return;
          const after = Date.parse(instant) + start;
          const first = nextFireMs(recurrence, after) ?? Number.POSITIVE_INFINITY;
          const second = nextFireMs(recurrence, after + later) ?? Number.POSITIVE_INFINITY;
          expect(second).toBeGreaterThanOrEqual(first);
          if (after + later < first) expect(second).toBe(first);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are as many as are counted, whole or in slices', () => {
    fc.assert(
      fc.property(
        expressions,
        fc.constantFrom(...CHANGES),
        fc.integer({ min: 0, max: 2 * DAY }),
        fc.integer({ min: 1, max: 50 }),
        (text, [zone, instant], span, limit) => {
          const recurrence = compile(text, zone);
          if (recurrence === null) return;
          const after = Date.parse(instant) - DAY;
          const fires = visit(recurrence, after, after + span);
          const whole = { count: fires.length, last: fires.at(-1) ?? null, done: true };
          expect(countFires(recurrence, after, after + span)).toEqual(whole);
          expect(countFires(recurrence, after, after + span, limit)).toEqual(
            fires.length <= limit ? whole : { count: limit, last: fires[limit - 1], done: false },
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('an expression', () => {
  it('is refused exactly when no month has its days', () => {
    fc.assert(
      fc.property(expressions, (text) => {
        const fields = readFields(text);
        const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        const comes = [...fields.month].some((month) => {
          const days = longest[month - 1] ?? 0;
          return Math.min(...fields.day) <= days;
        });
        expect(parseCron(text).ok).toBe(comes || !fields.bothDays);
      }),
      { numRuns: 500 },
    );
  });
});

const cronLike = fc
  .array(
    fc.constantFrom(
      ...'0123456789*/,-@#?LWH~+ \t\n'.split(''),
      'MON',
      'jan',
      '@daily',
      '\u00a0',
      '\u0661',
      'TZ=',
    ),
    { maxLength: 300 },
  )
  .map((parts) => parts.join(''));

describe('anything at all', () => {
  it('is read or refused with a path and a message, never thrown at', () => {
    const anything = fc.oneof(
      cronLike,
      fc.string(),
      fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
    );
    fc.assert(
      fc.property(anything, anything, (text, option) => {
        const outcomes = [
          parseCron(text, option),
          parseCron(text, { timezone: option }),
          parseInterval(text, option),
          parseInterval(text, { anchor: option }),
        ];
        for (const outcome of outcomes) {
          if (outcome.ok) continue;
          expect(outcome.issues.length).toBeGreaterThan(0);
          for (const issue of outcome.issues) {
            expect(issue.path).toMatch(/^(cron|timezone|interval|anchor)$/);
            expect(issue.message).toMatch(/^[\x20-\x7e]{10,400}$/);
          }
        }
      }),
      { numRuns: 600 },
    );
  });

  it('that is accepted has a description and a next fire', () => {
    fc.assert(
      fc.property(expressions, (text) => {
        const recurrence = compile(text, 'UTC');
        if (recurrence === null) return;
        expect(describeRecurrence(recurrence)).toMatch(/^(At|Every) .+ \(UTC\)$/);
        expect(nextFireMs(recurrence, 0)).not.toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '*'.repeat(5_000_000),
    ' '.repeat(5_000_000),
    '1,'.repeat(128),
    '*/'.repeat(128),
    `${'0'.repeat(247)} * * * *`,
  ])('however long is answered at once (%#)', (text) => {
    expect(typeof parseCron(text).ok).toBe('boolean');
  });
});
