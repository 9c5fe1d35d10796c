import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { MINUTE, puppet, scheduled, type World, withWorld } from './harness.ts';

const DAY = 24 * 60 * MINUTE;
const LIMITED = { cost: 'estimate', costPerDayUsd: 0.01 } as const;
const SPENT =
  'Turns have cost 0.01 US dollars today, and limits.costPerDayUsd of this instance is 0.01; what costs goes on tomorrow.';
const NOW = ['demo', 'nightly'] as const;

const spent = async (world: World): Promise<void> => {
  expect((await world.ops.triggers.run(USER, ...NOW)).ok).toBe(true);
  const turn = await world.until(() => world.runtime.turns[0]);
  turn.end('succeeded', null, { costMicrousd: 10_000 });
  await world.until(async () => (await world.runs())[0]?.state === 'ended');
};

describe('a daily limit of cost', () => {
  // proves: limits.cost-per-day
  it('lets nothing that costs begin once it is spent, until the day is over', () =>
    withWorld(
      scheduled(),
      async (world) => {
        await spent(world);
        await world.clock.advance(MINUTE);
        await world.until(async () => (await world.runs())[0]?.outcome === 'skipped_limit');
        await world.clock.advance(MINUTE);
        const run = await world.until(async () =>
          (await world.runs()).find(({ slotCount }) => slotCount === 2),
        );
        expect(run).toMatchObject({ outcome: 'skipped_limit', reason: SPENT, sessionId: null });
        const refused = { error: { code: 'conflict', message: SPENT } };
        expect(await world.ops.triggers.run(USER, ...NOW)).toMatchObject(refused);
        expect(await world.ops.chats.create(USER, 'demo', { prompt: 'Hi.' })).toMatchObject(
          refused,
        );
        expect(world.runtime.turns).toHaveLength(1);
        expect(await world.store.usage.costOn('2026-03-01')).toBe(10_000);
        world.clock.suspend(DAY);
        await world.clock.advance(MINUTE);
        await world.until(() => world.runtime.turns.length > 1);
      },
      LIMITED,
    ));

  // proves: limits.cost-per-day.running
  it('ends a turn that crosses it while it runs, and counts what all turns cost so far', () =>
    withWorld(
      scheduled(),
      async (world) => {
        await world.ops.triggers.run(USER, ...NOW);
        await world.ops.chats.create(USER, 'demo', { prompt: 'Hi.' });
        const [one, two] = await world.until(() =>
          world.runtime.turns.length === 2 ? world.runtime.turns : null,
        );
        expect(one?.spec.limits.costMicrousd).toBe(10_000);
        await one?.cost(6000);
        await two?.cost(4000);
        await one?.cost(6001);
        const run = await world.until(async () =>
          (await world.runs()).find(({ state }) => state === 'ended'),
        );
        const reason = `It was ended at the limit of the day. ${SPENT.replace('0.01 US', '0.02 US')}`;
        expect(run).toMatchObject({ outcome: 'failed', reason, cost: 0.006001 });
        const status = await world.ops.status();
        expect(status).toMatchObject({ value: { costPerDay: { spent: 0.010001, limit: 0.01 } } });
      },
      LIMITED,
    ));

  // proves: limits.cost-per-day.kill
  it('counts what a turn had cost when the service was killed', () =>
    withWorld(
      scheduled(),
      async (world) => {
        await world.ops.triggers.run(USER, ...NOW);
        const turn = await world.until(() => world.runtime.turns[0]);
        await turn.cost(10_000);
        await world.restart();
        const [run] = await world.runs();
        expect(run).toMatchObject({ outcome: 'interrupted', cost: 0.01, tokensIn: 10 });
        expect(await world.ops.triggers.run(USER, ...NOW)).toMatchObject({ ok: false });
      },
      LIMITED,
    ));

  it('is none of what costs nothing', () =>
    withWorld(
      scheduled(),
      async (world) => {
        await spent(world);
        world.write(
          'demo/project.yaml',
          scheduled().replace('"Do it."', '"Do it.", runtime: free'),
        );
        await world.until(async () => {
          const now = await world.ops.triggers.run(USER, ...NOW);
          return now.ok;
        });
      },
      { ...LIMITED, runtimes: [puppet('free')] },
    ));

  it('skips a turn that waited while others spent it', () =>
    withWorld(
      scheduled(),
      async (world) => {
        for (let n = 0; n < 3; n += 1) await world.ops.triggers.run(USER, ...NOW);
        const [one, two] = await world.until(() =>
          world.runtime.turns.length === 2 ? world.runtime.turns : null,
        );
        one?.end('succeeded', null, { costMicrousd: 10_000 });
        const run = await world.until(async () =>
          (await world.runs()).find(({ outcome }) => outcome === 'skipped_limit'),
        );
        expect(run).toMatchObject({ reason: SPENT, startedAt: null });
        two?.end();
      },
      LIMITED,
    ));
});
