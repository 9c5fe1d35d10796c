import { expect, it } from '@jest/globals';
import type { SinkRules, ToldMark } from '@svc/alerts';
import { nextAttempt } from '../src/backoff.ts';
import { isTold, marksAfter } from '../src/rules.ts';

const RULES: SinkRules = { on: ['failed', 'recovered'], threshold: 3, cooldownMs: 1000 };
const failed = (failures: number, at: number) => ({ type: 'failed', failures, at }) as const;
const recovered = (at: number) => ({ type: 'recovered', failures: 0, at }) as const;

it('tell a failure once the threshold is reached, not again within the cooldown, and all well only after it', () => {
  let marks: readonly ToldMark[] = [];
  const told = (what: ReturnType<typeof failed> | ReturnType<typeof recovered>): boolean => {
    if (!isTold(RULES, what, marks)) return false;
    const made = marksAfter('ops', what, marks);
    const kept = marks.filter((mark) => !made.some(({ type }) => type === mark.type));
    marks = [...kept, ...made];
    return true;
  };
  expect(told(recovered(0))).toBe(false);
  expect([told(failed(2, 1)), told(failed(3, 2)), told(failed(4, 1001))]).toEqual([
    false,
    true,
    false,
  ]);
  expect(told(failed(5, 1002))).toBe(true);
  expect([told(recovered(1003)), told(recovered(9000))]).toEqual([true, false]);
});

it('try for a day: after 5 s, 5 min, 30 min, 2, 5 and 10 h, and at the end of it', () => {
  const at: number[] = [];
  let now: number | null = 0;
  for (let attempts = 1; now !== null; attempts += 1) {
    at.push(now / 1000);
    now = nextAttempt(0, attempts, now);
  }
  expect(at).toEqual([0, 5, 305, 2105, 9305, 27_305, 63_305, 86_400]);
});
