import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CronPlan, cronOf, intervalOf, planOf, withKind } from '../src/model/cron-plan.ts';

const hour = fc.integer({ min: 0, max: 23 });
const minute = fc.integer({ min: 0, max: 59 });
const days = fc
  .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })
  .map((all) => all.sort());
const plan: fc.Arbitrary<CronPlan> = fc.oneof(
  fc.record({ rhythm: fc.constant('hour' as const), minute }),
  fc.record({ rhythm: fc.constant('day' as const), hour, minute }),
  fc.record({ rhythm: fc.constant('week' as const), days, hour, minute }),
  fc.record({
    rhythm: fc.constant('month' as const),
    day: fc.integer({ min: 1, max: 31 }),
    hour,
    minute,
  }),
);

test('a plan survives the round trip through its cron expression', () => {
  fc.assert(fc.property(plan, (each) => expect(planOf(cronOf(each))).toEqual(each)));
});

test('an expression that the builder can show keeps its meaning when the builder writes it', () => {
  const field = fc.constantFrom('*', '0', '7', '12', '31', '1-5', 'MON-FRI', '0,6', '*/5', '5-7');
  const text = fc.array(field, { minLength: 5, maxLength: 5 }).map((all) => all.join(' '));
  fc.assert(
    fc.property(text, (cron) => {
      const shown = planOf(cron);
      if (shown !== null) expect(planOf(cronOf(shown))).toEqual(shown);
    }),
  );
});

test.each([
  ['0 9 * * 1-5', { rhythm: 'week', days: [1, 2, 3, 4, 5], hour: 9, minute: 0 }],
  ['0 9 * * mon,FRI', { rhythm: 'week', days: [1, 5], hour: 9, minute: 0 }],
  ['30 4 * * 5-7', { rhythm: 'week', days: [0, 5, 6], hour: 4, minute: 30 }],
  ['@daily', { rhythm: 'day', hour: 0, minute: 0 }],
  ['@hourly', { rhythm: 'hour', minute: 0 }],
])('%s can be shown', (cron, shown) => {
  expect(planOf(cron)).toEqual(shown);
});

test.each(['*/5 * * * *', '0 9 1 * 1', '0 9 * 6 *', '0 9 * *', '60 9 * * *', '0 9 * * 5-1', ''])(
  '%p is custom',
  (cron) => {
    expect(planOf(cron)).toBeNull();
  },
);

test('another rhythm keeps the time of day', () => {
  expect(cronOf(withKind(planOf('15 3 * * *'), 'week'))).toBe('15 3 * * 1');
  expect(cronOf(withKind(null, 'month'))).toBe('0 9 1 * *');
});

test.each([
  ['30m', { count: '30', unit: 'm' }],
  ['1 day', { count: '1', unit: 'd' }],
  ['h', { count: '', unit: 'h' }],
  ['soon', null],
  ['1.5h', null],
])('the interval %s has its parts', (text, parts) => {
  expect(intervalOf(text)).toEqual(parts);
});
