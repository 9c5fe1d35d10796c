import { describe, expect, it } from '@jest/globals';
import type { TurnEnd } from '@svc/agent-runtime';
import { USER } from '@svc/ops';
import { MINUTE, scheduled, type World, withWorld } from './harness.ts';

const withPolicy = (policy: string): string => `${scheduled()}    policy: ${policy}\n`;
const HOOKS = { read: true, write: true, projects: false, hooks: true };
const PREFIX = 'mcp__svc_manage__';

const recorded = async (world: World): Promise<string[]> =>
  (await world.runs()).map(({ outcome, slotCount }) => `${outcome} ${slotCount}`).reverse();

async function becomes(world: World, ...runs: readonly string[]): Promise<void> {
  await world.until(async () => (await recorded(world)).join() === runs.join());
}

async function stateOf({ ops }: World, name = 'nightly') {
  const states = await ops.triggers.runtime('demo');
  if (!states.ok) throw new Error(states.error.message);
  return states.value.find((state) => state.name === name);
}

async function fires(world: World, outcome: TurnEnd['outcome'] = 'failed'): Promise<void> {
  const nth = world.runtime.turns.length;
  await world.ops.triggers.run(USER, 'demo', 'nightly');
  const turn = await world.until(() => world.runtime.turns[nth]);
  turn.end(outcome, outcome === 'succeeded' ? null : 'No.');
  await ended(world, turn.spec.runId);
}

async function ended(world: World, id: string | null): Promise<void> {
  await world.until(async () =>
    (await world.runs()).some((run) => run.id === id && run.state === 'ended'),
  );
}

const HOOK = `triggers:
  nightly:
    trigger: { type: event, on: onArchive }
    run: { prompt: "Look." }
    policy: { pauseAfterFailures: 1 }
    enabled: true
`;

// The first chat has its hook running, and the others wait for it.
async function archives(world: World, chats: number): Promise<void> {
  for (let n = 0; n < chats; n += 1) {
    const made = await world.ops.chats.create(USER, 'demo', { prompt: 'Hello.' });
    if (!made.ok) throw new Error(made.error.message);
    const turn = await world.until(() =>
      world.runtime.turns.find(({ spec }) => spec.sessionId === made.value.sessionId),
    );
    turn.end();
    await world.until(async () => world.ops.load().running === (n === 0 ? 0 : 1));
    await world.ops.chats.archive(USER, 'demo', made.value.sessionId);
    await world.until(async () => (await world.runs()).length === n + 1);
  }
}

function keeperTurn(turn: World['runtime']['turns'][number]) {
  return async (name: string, args: object): Promise<string> => {
    const { toolset } = turn.spec;
    if (toolset === null) throw new Error('There is no toolset.');
    return (await toolset.call(PREFIX + name, args, new AbortController().signal)).text;
  };
}

describe('everything that is paused', () => {
  // proves: pausing.all
  it('skips a slot that waits for the run before it, and makes up for nothing of a long pause', () =>
    withWorld(withPolicy('{ overlap: queue }'), async (world) => {
      await world.clock.advance(MINUTE);
      const running = await world.until(() => world.runtime.turns[0]);
      await world.clock.advance(MINUTE);
      await world.until(async () =>
        (await world.runs()).find(({ reason }) => reason?.startsWith('It waits')),
      );
      await world.ops.pause({ reason: 'Once.' });
      await becomes(world, 'null 1', 'skipped_paused 1');
      await world.clock.advance(3 * MINUTE);
      await becomes(world, 'null 1', 'skipped_paused 4');
      running.end();
      await becomes(world, 'succeeded 1', 'skipped_paused 4');
      await world.ops.resume();
      await world.clock.advance(MINUTE);
      const next = await world.until(() => world.runtime.turns[1]);
      next.end();
      await ended(world, next.spec.runId);
      expect(await recorded(world)).toEqual(['succeeded 1', 'skipped_paused 4', 'succeeded 1']);
    }));

  // proves: pausing.all.restart
  it('skips what a start would make up for, and then the rest', () =>
    withWorld(scheduled(), async (world) => {
      await world.ops.pause({ reason: 'Once.' });
      await world.restart({ afterMs: 10 * MINUTE });
      await world.clock.advance(MINUTE);
      const slots = async (): Promise<number> => {
        const rows = await world.runs();
        const isSettled = rows.every(({ state }) => state === 'ended');
        return isSettled ? rows.reduce((sum, { slotCount }) => sum + slotCount, 0) : 0;
      };
      await world.until(async () => (await slots()) === 11);
      await world.ops.resume();
      expect(await recorded(world)).toEqual(['missed 9', 'skipped_paused 2']);
      expect(world.runtime.turns).toEqual([]);
    }));

  // proves: pausing.all.events
  it('skips events that wait in order at once, and lets the run before them be', () =>
    withWorld(HOOK, async (world) => {
      await archives(world, 3);
      await world.ops.pause();
      await becomes(world, 'null 0', 'skipped_paused 0', 'skipped_paused 0');
      const hook = await world.until(() => world.runtime.turns.find(({ spec }) => spec.runId));
      hook.end();
      await becomes(world, 'succeeded 0', 'skipped_paused 0', 'skipped_paused 0');
    }));

  // proves: pausing.all.tells
  it('is reported with the latest reason, beside a pause of the trigger alone', () =>
    withWorld(withPolicy('{ pauseAfterFailures: 1 }'), async (world) => {
      await fires(world);
      const own = {
        at: '2026-03-01T09:00:00.000Z',
        reason: 'The trigger was paused after 1 failure.',
      };
      expect(await stateOf(world)).toMatchObject({ paused: true, pausedAfterFailures: own });
      await world.ops.pause({ reason: 'First.' });
      await world.ops.pause({ reason: 'Then\n\u001b[31m this' });
      expect(await stateOf(world)).toMatchObject({
        reason:
          'All triggers were paused by a user (reason: Then [31m this). The trigger was paused after 1 failure.',
        pausedAfterFailures: own,
      });
      expect(await world.ops.projects.health('demo')).toMatchObject({ paused: 1, needYou: 1 });
      expect(await world.ops.resumeTrigger('demo', 'nightly')).toMatchObject({
        value: { resumed: true },
      });
      const after = await stateOf(world);
      expect(after).toMatchObject({
        reason: 'All triggers were paused by a user (reason: Then [31m this).',
      });
      expect(after).not.toHaveProperty('pausedAfterFailures');
      const file = world.read('demo/project.yaml');
      world.write('demo/project.yaml', file.replace('Do it.', 'Do it well.'));
      await world.clock.advance(MINUTE);
      await becomes(world, 'failed 0', 'skipped_paused 1');
    }));

  // proves: pausing.all.tells
  it('takes a reason of 500 characters, and no longer one; no trigger needs anybody for it', () =>
    withWorld(scheduled(), async ({ ops }) => {
      const long = await ops.pause({ reason: 'x'.repeat(10_000) });
      expect(long).toMatchObject({ ok: false, error: { code: 'invalid' } });
      expect(await ops.status()).toMatchObject({ value: { paused: null } });
      expect((await ops.pause({ reason: '😀'.repeat(500) })).ok).toBe(true);
      expect(await ops.projects.health('demo')).toMatchObject({ paused: 1, needYou: 0 });
    }));

  // proves: pausing.all.agents
  it('refuses agents run_trigger, says why, and skips what one has fired just before', () =>
    withWorld(
      scheduled().replace('* * * * *', '0 3 * * *'),
      async (world) => {
        for (const prompt of ['a', 'b']) await world.ops.chats.create(USER, 'demo', { prompt });
        const turn = await world.until(() => world.runtime.turns[1]);
        const call = keeperTurn(turn);
        expect(await call('run_trigger', { name: 'nightly' })).toContain('"ran":true');
        expect(await recorded(world)).toEqual(['null 0']);
        await world.ops.pause({ reason: 'Stop.' });
        await becomes(world, 'skipped_paused 0');
        expect(await call('run_trigger', { name: 'nightly' })).toContain(
          'All triggers were paused by a user (reason: Stop). Agents cannot fire triggers',
        );
        expect(JSON.parse(await call('list_triggers', {}))).toMatchObject({
          triggers: [
            {
              name: 'nightly',
              paused: true,
              reason: 'All triggers were paused by a user (reason: Stop).',
            },
          ],
        });
        expect(await recorded(world)).toEqual(['skipped_paused 0']);
      },
      { gates: HOOKS },
    ));

  // proves: pausing.all.asked-for
  it('stops what turns of triggers have started, and lets the chats of people be', () =>
    withWorld(
      scheduled().replace('* * * * *', '0 3 * * *'),
      async (world) => {
        await world.ops.triggers.run(USER, 'demo', 'nightly');
        const fired = await world.until(() => world.runtime.turns[0]);
        await keeperTurn(fired)('create_chat', { prompt: 'Deeper.', name: 'deeper' });
        await world.until(() => world.runtime.turns[1]);
        fired.end();
        await ended(world, fired.spec.runId);
        await world.ops.chats.create(USER, 'demo', { prompt: 'Mine.', name: 'mine' });
        await world.until(() => world.runtime.turns[2]);
        expect(await world.ops.pause({ stopRunning: true })).toMatchObject({
          value: { stopped: 1 },
        });
        await world.until(() => world.ops.load().running === 1);
        expect(await world.ops.status()).toMatchObject({
          value: { running: [{ chat: 'mine' }], nodes: [{ version: '0', running: 1 }] },
        });
      },
      { gates: HOOKS },
    ));
});

describe('a trigger that is paused after failures', () => {
  // proves: pausing.failures.counts
  it.each<[TurnEnd['outcome'], boolean]>([
    ['failed', true],
    ['timed_out', true],
    ['max_turns', true],
    ['denied', true],
    ['no_model', true],
    ['cancelled', false],
    ['interrupted', false],
  ])('counts what has %s: %j', (outcome, counts) =>
    withWorld(withPolicy('{ pauseAfterFailures: 1 }'), async (world) => {
      await fires(world, outcome);
      expect((await stateOf(world))?.paused).toBe(counts);
    }),
  );

  // proves: pausing.failures.counts
  it('counts a fire that could not start a turn', () =>
    withWorld(
      withPolicy('{ pauseAfterFailures: 2 }').replace('prompt: "Do it."', 'promptFile: "gone.md"'),
      async (world) => {
        await world.clock.advance(MINUTE);
        await becomes(world, 'failed 1');
        expect((await stateOf(world))?.paused).toBe(false);
        expect(await world.ops.triggers.run(USER, 'demo', 'nightly')).toMatchObject({ ok: false });
        expect((await stateOf(world))?.paused).toBe(true);
      },
    ));

  // proves: pausing.failures
  it('counts runs beside each other in the order of their ends', () =>
    withWorld(withPolicy('{ pauseAfterFailures: 2, overlap: allow }'), async (world) => {
      for (const count of [1, 2]) {
        await world.clock.advance(MINUTE);
        await world.until(() => world.runtime.turns.length === count);
      }
      const [first, second] = world.runtime.turns;
      second?.end('failed', 'No.');
      await ended(world, second?.spec.runId ?? null);
      expect((await stateOf(world))?.paused).toBe(false);
      first?.end('failed', 'No.');
      await ended(world, first?.spec.runId ?? null);
      expect((await stateOf(world))?.paused).toBe(true);
      await world.clock.advance(MINUTE);
      await becomes(world, 'failed 1', 'failed 1', 'skipped_paused 1');
    }));

  // proves: pausing.failures.goes-on
  it('has what waits in order skipped at once, and its resume says so in the log', () =>
    withWorld(HOOK, async (world) => {
      await archives(world, 3);
      const hook = await world.until(() => world.runtime.turns.find(({ spec }) => spec.runId));
      hook.end('failed', 'No.');
      await becomes(world, 'failed 0', 'skipped_paused 0', 'skipped_paused 0');
      await world.ops.resumeTrigger('demo', 'nightly');
      expect(world.logger.lines.map(({ message }) => message)).toEqual(
        expect.arrayContaining(['trigger paused', 'trigger resumed']),
      );
    }));
});
