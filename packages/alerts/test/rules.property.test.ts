import { expect, it } from '@jest/globals';
import { ALERT_TYPES, type SentMark, type SinkRules } from '@svc/alerts';
import fc from 'fast-check';
import { marksAfter, shouldNotify } from '../src/rules.ts';

interface Happening {
  readonly type: 'failed' | 'missed' | 'paused' | 'recovered';
  readonly failures: number;
  readonly at: number;
}

const rulesOf = fc.record<SinkRules>({
  on: fc.subarray([...ALERT_TYPES]),
  threshold: fc.integer({ min: 1, max: 4 }),
  cooldownMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
});
// Ended runs. A success may be reported as recovered.
const ends = fc.array(
  fc.record({
    type: fc.constantFrom('failed', 'failed', 'failed', 'missed', 'paused', 'recovered'),
    after: fc.integer({ min: 0, max: 40 }),
  }),
  { maxLength: 60 },
);

function happeningsOf(all: readonly { type: string; after: number }[]): Happening[] {
  let [at, failures] = [0, 0];
  return all.map(({ type, after }) => {
    at += after;
    if (type === 'failed') failures += 1;
    if (type === 'recovered') failures = 0;
    const counted = type === 'failed' ? failures : 0;
    return { type: type as Happening['type'], failures: counted, at };
  });
}

function notifiedOf(rules: SinkRules, all: readonly Happening[]): boolean[] {
  let marks: readonly SentMark[] = [];
  return all.map((one) => {
    if (!shouldNotify(rules, one, marks)) return false;
    const made = marksAfter('ops', one, marks);
    marks = [...marks.filter((mark) => !made.some(({ type }) => type === mark.type)), ...made];
    return true;
  });
}

// proves: alerts.rules
it('respect threshold and cooldown, and report a recovery once after each reported failure', () => {
  fc.assert(
    fc.property(rulesOf, ends, (rules, given) => {
      const all = happeningsOf(given);
      const notified = notifiedOf(rules, all);
      let open = false;
      const last = new Map<string, number>();
      for (const [n, { type, failures, at }] of all.entries()) {
        const since = at - (last.get(type) ?? Number.NEGATIVE_INFINITY);
        const expected =
          rules.on.includes(type) &&
          since >= rules.cooldownMs &&
          (type !== 'failed' || failures >= rules.threshold) &&
          (type !== 'recovered' || open);
        expect(notified[n]).toBe(expected);
        if (!notified[n]) continue;
        last.set(type, at);
        if (type === 'failed') open = true;
        if (type === 'recovered') open = false;
      }
    }),
    { numRuns: 500 },
  );
});
