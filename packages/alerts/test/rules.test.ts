import { expect, it } from '@jest/globals';
import type { SentMark, SinkRules } from '@svc/alerts';
import { nextAttempt } from '../src/backoff.ts';
import { marksAfter, shouldNotify } from '../src/rules.ts';

const RULES: SinkRules = { on: ['failed', 'recovered'], threshold: 3, cooldownMs: 1000 };
const failed = (failures: number, at: number) => ({ type: 'failed', failures, at }) as const;
const recovered = (at: number) => ({ type: 'recovered', failures: 0, at }) as const;

it('report a failure once the threshold is reached, not again within the cooldown, and a recovery only after a failure', () => {
  let marks: readonly SentMark[] = [];
  const notified = (what: ReturnType<typeof failed> | ReturnType<typeof recovered>): boolean => {
    if (!shouldNotify(RULES, what, marks)) return false;
    const made = marksAfter('ops', what, marks);
    const kept = marks.filter((mark) => !made.some(({ type }) => type === mark.type));
    marks = [...kept, ...made];
    return true;
  };
  expect(notified(recovered(0))).toBe(false);
  expect([notified(failed(2, 1)), notified(failed(3, 2)), notified(failed(4, 1001))]).toEqual([
    false,
    true,
    false,
  ]);
  expect(notified(failed(5, 1002))).toBe(true);
  expect([notified(recovered(1003)), notified(recovered(9000))]).toEqual([true, false]);
});

it('retry for a day: after 5 s, 5 min, 30 min, 2, 5 and 10 h, and at the end of the day', () => {
  const at: number[] = [];
  let now: number | null = 0;
  for (let attempts = 1; now !== null; attempts += 1) {
    at.push(now / 1000);
    now = nextAttempt(0, attempts, now);
  }
  expect(at).toEqual([0, 5, 305, 2105, 9305, 27_305, 63_305, 86_400]);
});
