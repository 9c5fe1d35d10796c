import { describe, expect, it } from '@jest/globals';
import { parseCron, upcoming } from '@svc/recurrence';
import { Cron } from 'croner';
import fc from 'fast-check';

// Left out, because croner follows another rule there: `*/n` beside a restricted day field, steps in the fixed fields,
// gaps that end at midnight, and clock changes of three hours and more.
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Europe/London',
  'Australia/Sydney',
  'Asia/Kathmandu',
  'America/St_Johns',
];

function field(min: number, max: number): fc.Arbitrary<string> {
  const value = fc.integer({ min, max });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  return fc.oneof(
    value.map(String),
    range,
    fc.uniqueArray(value, { minLength: 2, maxLength: 4 }).map((values) => values.join(',')),
  );
}

const anyOr = (own: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, { weight: 1, arbitrary: own });

const expressions = fc
  .tuple(
    fc.oneof(field(0, 59), fc.constantFrom('*', '*/5', '*/7', '*/20')),
    fc.oneof(field(0, 23), fc.constantFrom('*', '*/2', '*/5')),
    anyOr(field(1, 28)),
    anyOr(field(1, 12)),
    anyOr(field(0, 6)),
  )
  .map((fields) => fields.join(' '));

describe('croner with fixed times recognized by the absence of wildcards', () => {
  it('gives the same next fires', () => {
    fc.assert(
      fc.property(
        expressions,
        fc.constantFrom(...ZONES),
        fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) }),
        (text, timezone, start) => {
          const after = new Date(start);
          const parsed = parseCron(text, { timezone });
          if (!parsed.ok) throw new Error(parsed.issues[0]?.message);
          const peer = new Cron(text, {
            mode: '5-part',
            timezone,
            paused: true,
            fixedTimeRule: 'no-wildcard',
          });
          expect(upcoming(parsed.value, after, 4)).toEqual(peer.nextRuns(4, after));
        },
      ),
      { numRuns: 150 },
    );
  });
});
