import { describe, expect, it } from '@jest/globals';
import type { TurnSpec } from '@svc/agent-runtime';
import { newId } from '@svc/core';
import { USER } from '@svc/ops';
import { NEVER } from './calls.ts';
import { MINUTE, puppet, scheduled, type World, withWorld } from './harness.ts';

const DAY = 24 * 60 * MINUTE;
const LIMITED = { cost: 'estimate', costPerDayUsd: 0.01 } as const;
const SPENT =
  'Daily cost limit of this instance reached: 0.01 US dollars today (limits.costPerDayUsd: 0.01). Turns that cost money start again tomorrow.';
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
        const reason = `The turn was stopped. ${SPENT.replace('0.01 US', '0.02 US')}`;
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

const OF_PROJECT = `costPerDayUsd: 0.01\n${scheduled()}`;
const OF_TRIGGER = `${scheduled().trimEnd()}
    policy: { costPerDayUsd: 0.01 }
  other:
    trigger: { type: schedule, cron: "* * * * *", timezone: UTC }
    run: { prompt: "Do it." }
`;

const refusedWith = (message: string) => ({ ok: false, error: { code: 'conflict', message } });

describe('alerts of a daily limit', () => {
  // proves: alerts.limited
  it('are noted once for each that is spent, whatever it stops', () =>
    withWorld(
      `costPerDayUsd: 0.02\n${OF_TRIGGER.replace('0.01 }', '0.01, firesPerDay: 3 }')}`,
      async (world) => {
        const { ops, until, runtime, store, clock } = world;
        const noted = async () => {
          const notes = await store.alerts.pendingSpentLimits();
          return notes.map(({ limit, project, trigger, run }) => [limit, project, trigger, run]);
        };
        await spent(world);
        await clock.advance(MINUTE);
        const run = await until(async () =>
          (await world.runs()).find(({ outcome }) => outcome === 'skipped_limit'),
        );
        await ops.triggers.run(USER, ...NOW);
        const ofTrigger = ['policy.costPerDayUsd', 'demo', 'nightly', run.id];
        expect(await noted()).toEqual([ofTrigger]);
        await ops.chats.create(USER, 'demo', { prompt: 'Hi.' });
        const turn = await until(() => runtime.turns[1]);
        await turn.cost(10_001);
        await until(async () => (await noted()).length === 2);
        const ofProject = ['costPerDayUsd', 'demo', null, null];
        expect(await noted()).toEqual([ofTrigger, ofProject]);
      },
      { cost: 'estimate', alerts: true },
    ));
});

describe('a daily limit of cost of a project', () => {
  // proves: limits.cost-per-day.project
  it('stops what costs there, chats too, and nothing in another project', () =>
    withWorld(
      OF_PROJECT,
      async (world) => {
        const { ops, write } = world;
        write('other/project.yaml', scheduled());
        await spent(world);
        const message =
          'Daily cost limit of demo reached: 0.01 US dollars today (costPerDayUsd: 0.01). Turns that cost money start again tomorrow.';
        expect(await ops.triggers.run(USER, ...NOW)).toMatchObject(refusedWith(message));
        const chat = await ops.chats.create(USER, 'demo', { prompt: 'Hi.' });
        expect(chat).toMatchObject(refusedWith(message));
        expect(await ops.triggers.run(USER, 'other', 'nightly')).toMatchObject({ ok: true });
        const turn = await world.until(() => world.runtime.turns[1]);
        expect(turn.spec.limits.costMicrousd).toBeNull();
        turn.end();
        write('demo/project.yaml', OF_PROJECT.replace('0.01', 'much'));
        const none = await ops.triggers.run(USER, ...NOW);
        expect(none).toMatchObject(refusedWith(message.replace('Usd: 0.01', 'Usd: 0')));
      },
      { cost: 'estimate' },
    ));
});

describe('a daily limit of cost of a trigger', () => {
  // proves: limits.cost-per-day.trigger
  it('stops that trigger alone, and counts what it has started', () =>
    withWorld(
      OF_TRIGGER,
      async (world) => {
        const { ops, runtime, until } = world;
        const fired = await ops.triggers.run(USER, ...NOW);
        const turn = await until(() => runtime.turns[0]);
        expect(turn.spec.limits.costMicrousd).toBe(10_000);
        const unknown = { session_id: newId() };
        expect(await turn.spec.toolset?.call('read_chat', unknown, NEVER)).toEqual({
          ...{ text: 'There is no such chat.', isError: true },
        });
        await asAgent(turn.spec, 'create_chat', { prompt: 'Help me.' });
        const helper = await until(() => runtime.turns[1]);
        await turn.cost(2000);
        await helper.cost(3000);
        expect(await spentBy(world)).toBe(5000);
        helper.end('succeeded', null, { costMicrousd: 6000 });
        await until(async () => (await spentBy(world)) === 8000);
        turn.end('succeeded', null, { costMicrousd: 4000 });
        await until(async () => (await world.runs())[0]?.state === 'ended');
        expect(await spentBy(world)).toBe(10_000);
        expect(await world.store.usage.costOn('2026-03-01')).toBe(10_000);
        const message =
          'Daily cost limit of nightly reached: 0.01 US dollars today (policy.costPerDayUsd: 0.01). Turns that cost money start again tomorrow.';
        expect(await ops.triggers.run(USER, ...NOW)).toMatchObject(refusedWith(message));
        await world.clock.advance(MINUTE);
        const run = await until(async () =>
          (await world.runs()).find(({ outcome }) => outcome === 'skipped_limit'),
        );
        expect(run.reason).toBe(message);
        expect(await ops.triggers.run(USER, 'demo', 'other')).toMatchObject({ ok: true });
        if (!fired.ok) throw new Error('It did not fire.');
        const { sessionId } = fired.value;
        expect(await ops.chats.send(USER, 'demo', sessionId, 'What happened?')).toMatchObject({
          ok: true,
        });
      },
      { cost: 'estimate', gates: GATES },
    ));

  // proves: limits.cost-per-day.agent
  it('holds for a trigger that its agent has set in place of it, until a person saves that', () =>
    withWorld(
      `hooksMcpEnabled: true\n${OF_TRIGGER}`,
      async (world) => {
        const { ops, runtime, until } = world;
        await ops.triggers.run(USER, ...NOW);
        const turn = await until(() => runtime.turns[0]);
        await asAgent(turn.spec, 'remove_trigger', { name: 'nightly' });
        const wish = { name: 'free', cron: '* * * * *', prompt: 'More.' };
        await asAgent(turn.spec, 'set_trigger', wish);
        turn.end('succeeded', null, { costMicrousd: 10_000 });
        await until(async () => (await world.runs())[0]?.state === 'ended');
        const refused = await ops.triggers.run(USER, 'demo', 'free');
        expect(refused).toMatchObject({ error: { code: 'conflict' } });
        expect(refused.ok ? '' : refused.error.message).toMatch(
          /cost limit of nightly .*policy\.costPerDayUsd/,
        );
        const trigger = { type: 'schedule', cron: '* * * * *' };
        await ops.triggers.put(USER, 'demo', 'free', { trigger, run: { prompt: 'More.' } });
        expect(await ops.triggers.run(USER, 'demo', 'free')).toMatchObject({ ok: true });
      },
      { cost: 'estimate', gates: GATES },
    ));
});

const spentBy = ({ store }: World) =>
  store.usage.costOn('2026-03-01', { budget: { project: 'demo', trigger: 'nightly' } });

const GATES = { read: true, write: true, projects: false, hooks: true };

/** Calls an operation as the agent of a turn does. */
const asAgent = async ({ toolset }: TurnSpec, name: string, args: object): Promise<void> => {
  const answer = await toolset?.call(name, args, NEVER);
  expect(answer).toMatchObject({ isError: false });
};
