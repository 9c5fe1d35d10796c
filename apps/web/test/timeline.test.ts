import { expect, test } from '@jest/globals';
import { busiest, timelineRows } from '../src/model/timeline.ts';

const START = Date.parse('2026-11-22T15:00:00.000Z');
const fire = (trigger: string, minute: number) => ({
  trigger,
  at: new Date(START + minute * 60_000).toISOString(),
});

test('a trigger that the service reports only by its rate is a band, the others are marks', () => {
  const frequent = [{ trigger: 'heartbeat', firesPerDay: 2880 }];
  expect(timelineRows({ fires: [fire('nightly', 5)], frequent })).toEqual([
    { trigger: 'nightly', fires: [fire('nightly', 5).at], firesPerDay: null },
    { trigger: 'heartbeat', fires: [], firesPerDay: 2880 },
  ]);
});

test('the busiest minute is the first with the most fires, and none when no two coincide', () => {
  const rows = timelineRows({
    fires: [fire('a', 3), fire('a', 7), fire('b', 7), fire('c', 9)],
    frequent: [],
  });
  expect(busiest(rows)).toEqual({ at: fire('a', 7).at, count: 2 });
  expect(busiest(timelineRows({ fires: [fire('a', 3), fire('b', 4)], frequent: [] }))).toBeNull();
});
