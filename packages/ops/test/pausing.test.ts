import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { MINUTE, scheduled, type World, withWorld } from './harness.ts';

const GUARDED = `triggers:
  nightly:
    trigger: { type: schedule, cron: "* * * * *", timezone: UTC }
    run: { prompt: "Do it." }
    policy: { pauseAfterFailures: 2 }
    enabled: true
`;
const HOOKED = `triggers:
  hook:
    trigger: { type: event, on: onArchive }
    run: { prompt: "Look." }
    enabled: true
  keeps:
    trigger: { type: event, on: afterTurn }
    run: { prompt: "Keep it true." }
    enabled: true
`;

const recorded = async (world: World) =>
  (await world.runs()).map(({ outcome, slotCount }) => `${outcome} ${slotCount}`).reverse();

async function becomes(world: World, ...runs: readonly string[]): Promise<void> {
  await world.until(async () => (await recorded(world)).join() === runs.join());
}

async function state({ ops }: World) {
  const states = await ops.triggers.runtime('demo');
  if (!states.ok) throw new Error(states.error.message);
  return states.value[0];
}

async function endsNext(
  { runtime, until, runs }: World,
  nth: number,
  outcome: 'succeeded' | 'failed' | 'cancelled' = 'failed',
): Promise<void> {
  const turn = await until(() => runtime.turns[nth]);
  turn.end(outcome, outcome === 'succeeded' ? null : 'No.');
  await until(async () =>
    (await runs()).some((run) => run.id === turn.spec.runId && run.outcome === outcome),
  );
}

describe('a run that waits for a place', () => {
  const waiting = async (world: World): Promise<void> => {
    for (const prompt of ['a', 'b']) await world.ops.chats.create(USER, 'demo', { prompt });
    await world.until(() => world.runtime.turns.length === 2);
    await world.clock.advance(MINUTE);
    await world.until(() => world.ops.load().queued === 1);
  };

  it.each([
    ['disabled', scheduled().replace('enabled: true', 'enabled: false'), 'was disabled'],
    ['deleted', 'name: Demo\n', 'There is no trigger nightly'],
  ])('does not start once its trigger is %s', (_how, yaml, words) =>
    withWorld(scheduled(), async (world) => {
      await waiting(world);
      world.write('demo/project.yaml', yaml);
      world.runtime.turns[0]?.end();
      await becomes(world, 'cancelled 1');
      expect((await world.runs())[0]?.reason).toContain(words);
      expect(world.runtime.turns).toHaveLength(2);
    }),
  );

  it.each([
    ['whose file cannot be read for now', scheduled().replace('nightly:', 'nightly: [')],
    ['that was edited', scheduled().replace('Do it.', 'Do that.')],
  ])('starts for a trigger %s', (_how, yaml) =>
    withWorld(scheduled(), async (world) => {
      await waiting(world);
      world.write('demo/project.yaml', yaml);
      world.runtime.turns[0]?.end();
      const turn = await world.until(() => world.runtime.turns[2]);
      expect(turn.spec.prompt.author).toBe('Do it.');
    }),
  );

  it('starts for a disabled trigger that a person has fired', () =>
    withWorld(scheduled().replace('enabled: true', 'enabled: false'), async (world) => {
      for (const prompt of ['a', 'b']) await world.ops.chats.create(USER, 'demo', { prompt });
      await world.until(() => world.runtime.turns.length === 2);
      await world.ops.triggers.run(USER, 'demo', 'nightly');
      world.runtime.turns[0]?.end();
      const turn = await world.until(() => world.runtime.turns[2]);
      expect(turn.spec.prompt.author).toBe('Do it.');
    }));
});

describe('everything that is paused', () => {
  // proves: pausing.all, pausing.all.tells
  it('skips slots in one row, and makes up for none of them', () =>
    withWorld(scheduled(), async (world) => {
      const paused = await world.ops.pause({ reason: '  Two\nlines ' });
      expect(paused).toMatchObject({
        value: {
          paused: { by: 'user', reason: 'Two lines' },
          ...{ stopped: 0, replaced: null, servers: 1, answeredBy: world.store.nodeId },
        },
      });
      await world.clock.advance(MINUTE);
      await becomes(world, 'skipped_paused 1');
      await world.clock.advance(MINUTE);
      await becomes(world, 'skipped_paused 2');
      expect(await state(world)).toMatchObject({
        armed: true,
        paused: true,
        nextFire: '2026-03-01T09:03:00.000Z',
        reason: 'All triggers were paused by a user (reason: Two lines).',
      });
      expect(await world.ops.status()).toMatchObject({
        value: { paused: { by: 'user', at: '2026-03-01T09:00:00.000Z', reason: 'Two lines' } },
      });
      await world.ops.resume();
      expect(world.runtime.turns).toHaveLength(0);
      await world.clock.advance(MINUTE);
      await endsNext(world, 0, 'succeeded');
      expect(await recorded(world)).toEqual(['skipped_paused 2', 'succeeded 1']);
      expect(await state(world)).toMatchObject({ paused: false });
    }));

  // proves: pausing.all.restart
  it('stays so over a restart', () =>
    withWorld(scheduled(), async (world) => {
      await world.ops.pause();
      await world.restart();
      expect(await world.ops.isPaused()).toBe(true);
      await world.clock.advance(MINUTE);
      await becomes(world, 'skipped_paused 1');
    }));

  // proves: pausing.all.events
  it('skips events, and leaves the turns of a curator waiting', () =>
    withWorld(HOOKED, async (world) => {
      await world.ops.pause();
      const made = await world.ops.chats.create(USER, 'demo', { prompt: 'Hello.' });
      if (!made.ok) throw new Error(made.error.message);
      (await world.until(() => world.runtime.turns[0])).end();
      const { sessionId } = made.value;
      await world.until(() => world.store.events.backlog('afterTurn', 'demo'));
      await world.ops.chats.archive(USER, 'demo', sessionId);
      await becomes(world, 'skipped_paused 0');
      await world.clock.advance(6 * MINUTE);
      expect(await world.store.events.backlog('afterTurn', 'demo')).toMatchObject({ count: 1 });
      await world.ops.resume();
      const turn = await world.until(() => world.runtime.turns[1]);
      expect(turn.spec.prompt.author).toBe('Keep it true.');
    }));

  // proves: pausing.all.asked-for
  it('lets users fire a trigger, and says so; running turns continue unless they are to stop', () =>
    withWorld(scheduled().replace('* * * * *', '0 3 * * *'), async (world) => {
      await world.ops.pause();
      const fired = await world.ops.triggers.run(USER, 'demo', 'nightly');
      expect(fired).toMatchObject({
        value: {
          notice: 'The trigger is paused, but this run starts. All triggers were paused by a user.',
        },
      });
      await world.until(() => world.runtime.turns[0]);
      await world.ops.pause();
      expect((await world.runs())[0]).toMatchObject({ state: 'running' });
      expect(await world.ops.pause({ stopRunning: true, reason: 'Stop.' })).toMatchObject({
        value: { stopped: 1 },
      });
      await becomes(world, 'cancelled 0');
      expect((await world.runs())[0]?.reason).toBe(
        'All triggers were paused by a user (reason: Stop).',
      );
    }));

  it('skips turns that wait for a place', () =>
    withWorld(scheduled(), async (world) => {
      for (const prompt of ['a', 'b']) await world.ops.chats.create(USER, 'demo', { prompt });
      await world.until(() => world.runtime.turns.length === 2);
      await world.clock.advance(MINUTE);
      await world.until(() => world.ops.load().queued === 1);
      await world.ops.pause();
      await becomes(world, 'skipped_paused 1');
      expect(world.ops.load().queued).toBe(0);
    }));

  it('keeps no secret in the reason', () =>
    withWorld(
      scheduled(),
      async (world) => {
        const paused = await world.ops.pause({ reason: 'It is hunter2hunter2 now' });
        expect(JSON.stringify([paused, world.logger.lines])).not.toContain('hunter2');
      },
      { secrets: ['hunter2hunter2'] },
    ));
});

describe('a trigger that fails again and again', () => {
  // proves: pausing.failures
  it('is counted under the definition that ran, even before an edit is detected', () => {
    const projects = (onDisk: World['projects']) => ({
      ...onDisk,
      watch: async () => async () => {},
    });
    return withWorld(
      GUARDED,
      async (world) => {
        world.write('demo/project.yaml', GUARDED.replace('Do it.', 'Do it well.'));
        for (const nth of [0, 1]) {
          await world.ops.triggers.run(USER, 'demo', 'nightly');
          await endsNext(world, nth);
        }
        expect(await state(world)).toMatchObject({ paused: true });
        world.write('demo/project.yaml', GUARDED);
        await world.clock.advance(MINUTE);
        await world.until(() => world.runtime.turns[2]);
      },
      { projects },
    );
  });

  // proves: pausing.failures, pausing.failures.skips
  it('is paused after exactly as many failures in a row as it says', () =>
    withWorld(GUARDED, async (world) => {
      const outcomes = ['failed', 'succeeded', 'failed', 'cancelled', 'failed'] as const;
      for (const [n, outcome] of outcomes.entries()) {
        expect(await state(world)).toMatchObject({ paused: false });
        await world.clock.advance(MINUTE);
        await endsNext(world, n, outcome);
      }
      expect(await state(world)).toMatchObject({
        armed: true,
        paused: true,
        reason: 'The trigger was paused after 2 failures in a row.',
        nextFire: '2026-03-01T09:06:00.000Z',
      });
      expect(await world.ops.projects.health('demo')).toMatchObject({ paused: 1, needYou: 1 });
      await world.clock.advance(MINUTE);
      await becomes(world, ...outcomes.map((outcome) => `${outcome} 1`), 'skipped_paused 1');
      expect(world.read('demo/project.yaml')).toBe(GUARDED);
      await world.restart();
      expect(await state(world)).toMatchObject({ paused: true });
    }));

  // proves: pausing.failures.goes-on
  it.each([
    [
      'an edit',
      async ({ write, until, ...world }: World) => {
        write('demo/project.yaml', GUARDED.replace('Do it.', 'Do it well.'));
        await until(async () => (await state({ ...world, write, until }))?.paused === false);
      },
    ],
    [
      'a success',
      async (world: World) => {
        await world.ops.triggers.run(USER, 'demo', 'nightly');
        await endsNext(world, 2, 'succeeded');
      },
    ],
    [
      'a resume by a user',
      async (world: World) => {
        expect(await world.ops.resumeTrigger('demo', 'nightly')).toMatchObject({
          value: { resumed: true },
        });
      },
    ],
    [
      'the same record, sent with enabled',
      async ({ ops }: World) => {
        const trigger = { type: 'schedule', cron: '* * * * *', timezone: 'UTC' };
        const policy = { pauseAfterFailures: 2 };
        const record = { trigger, run: { prompt: 'Do it.' }, policy, enabled: true };
        expect((await ops.triggers.put(USER, 'demo', 'nightly', record)).ok).toBe(true);
      },
    ],
  ])('fires again after %s, and counts failures from zero', (_, resume) =>
    withWorld(GUARDED, async (world) => {
      for (const n of [0, 1]) {
        await world.clock.advance(MINUTE);
        await endsNext(world, n);
      }
      expect(await state(world)).toMatchObject({ paused: true });
      await resume(world);
      expect(await state(world)).toMatchObject({ paused: false });
      expect(world.logger.lines.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^(changed )?trigger resumed$/),
      );
      const before = world.runtime.turns.length;
      await world.clock.advance(MINUTE);
      await endsNext(world, before);
      expect(await state(world)).toMatchObject({ paused: false });
    }),
  );
});
