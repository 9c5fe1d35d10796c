import { expect, it } from '@jest/globals';
import { createAlerts, type StandingTrouble } from '@svc/alerts';
import { isoTime, startOfLocalDay } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { digestOf, digestSlot } from '../src/digest.ts';
import { createMemoryStore } from './memory-store.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const dayOf = (at: number) => isoTime(startOfLocalDay(at));
const sum = (trigger: string, failures: number, costMicrousd: number | null = null) => ({
  ...({ project: 'demo', source: 'trigger', trigger, runs: failures + 1, failures } as const),
  ...{ missed: 2, skipped: 1, costMicrousd },
});

it.each([
  [new Date(2026, 2, 2, 7, 59, 59), new Date(2026, 1, 23, 8)],
  [new Date(2026, 2, 2, 8), new Date(2026, 2, 2, 8)],
  [new Date(2026, 2, 8, 23), new Date(2026, 2, 2, 8)],
  [new Date(2026, 3, 1, 0), new Date(2026, 2, 30, 8)],
])('is due on Mondays at 08:00 host time: at %s since %s', (now, slot) => {
  expect(new Date(digestSlot(now.getTime()))).toEqual(slot);
});

function setUp(clock = createFakeClock(new Date(2026, 2, 4, 12).getTime())) {
  const { store, state } = createMemoryStore([]);
  const notified: { from: string; to: string }[] = [];
  const sink = {
    async send({ body }: { body: string }) {
      const { type, data } = JSON.parse(body);
      if (type === 'digest') notified.push(data);
      return { ok: true } as const;
    },
  };
  const trouble: StandingTrouble[] = [];
  let fails = false;
  const create = (on: readonly ['digest'] | readonly ['failed'] = ['digest']) =>
    createAlerts(
      {
        ...{ clock, logger: createMemoryLogger(), store },
        trouble: async () => {
          if (fails) throw new Error('The folder is not there.');
          return trouble;
        },
      },
      new Map([['ops', { sink, rules: { on, threshold: 1, cooldownMs: 0 } }]]),
    );
  const breakIt = (on: boolean) => {
    fails = on;
  };
  return { clock, state, notified, trouble, create, breakIt };
}

// proves: alerts.digest
it('is sent once a week across restarts, late after downtime, and covers all weeks of the downtime', async () => {
  const { clock, notified, create } = setUp();
  const monday = digestSlot(clock.now()) + WEEK;
  const first = create();
  await first.start();
  await clock.advance(monday - clock.now() - 1);
  expect(notified).toEqual([]);
  await clock.advance(30_001);
  expect(notified).toMatchObject([{ from: dayOf(monday - WEEK), to: dayOf(monday) }]);
  await first.close();
  const second = create();
  await second.start();
  await clock.advance(DAY);
  expect(notified).toHaveLength(1);
  await second.close();
  await clock.advance(2 * WEEK);
  const third = create();
  await third.start();
  await clock.advance(DAY);
  expect(notified).toHaveLength(2);
  expect(notified[1]).toMatchObject({ from: dayOf(monday), to: dayOf(monday + 2 * WEEK) });
  await third.close();
});

// proves: alerts.digest
it('is composed again after a failure, and skips periods without subscribed sinks', async () => {
  const { clock, notified, create, breakIt } = setUp();
  const monday = digestSlot(clock.now()) + WEEK;
  const silent = create(['failed']);
  await silent.start();
  await clock.advance(monday - clock.now() + 60_000);
  await silent.close();
  const alerts = create();
  await alerts.start();
  breakIt(true);
  await clock.advance(WEEK);
  expect(notified).toEqual([]);
  breakIt(false);
  await clock.advance(60_000);
  expect(notified).toMatchObject([{ from: dayOf(monday), to: dayOf(monday + WEEK) }]);
  await alerts.close();
});

it('lists the worst triggers first, sums up all of them, and counts the omitted ones', () => {
  const sums = Array.from({ length: 250 }, (_, n) => sum(`t${n}`, n, n === 7 ? 500_000 : null));
  const trouble = [
    { project: 'fine', failing: 0, paused: 0, invalid: 0, unready: 0, limited: 0 },
    { project: 'demo', failing: 0, paused: 0, invalid: 0, unready: 0, limited: 1 },
  ];
  const digest = digestOf({ from: 'a', to: 'b' }, sums, trouble);
  expect(digest.triggers).toHaveLength(200);
  expect(digest.triggers[0]).toMatchObject({ trigger: 't249', failures: 249, cost: null });
  expect(digest.total).toEqual({
    runs: 31_375,
    failures: 31_125,
    missed: 500,
    skipped: 250,
    cost: 0.5,
  });
  expect(digest.now).toEqual([trouble[1]]);
  expect(digest.leftOut).toEqual({ triggers: 50, projects: 0 });
});
