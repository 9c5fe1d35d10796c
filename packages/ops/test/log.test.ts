import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { MINUTE, scheduled, type World, withWorld } from './harness.ts';

const ENDED = 'run ended';

const linesOf = ({ logger }: Pick<World, 'logger'>, message: string) =>
  logger.lines.filter((line) => line.message === message);

const endOf = (world: World, outcome: string) =>
  world.until(() => linesOf(world, ENDED).find((line) => line.fields['outcome'] === outcome));

describe('the log of runs', () => {
  it('has a line when one starts and one when it ends', () =>
    withWorld(scheduled(), async (world) => {
      const { clock, runtime, until } = world;
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      const { runId } = turn.spec;
      const run = { project: 'demo', trigger: 'nightly', runId, cause: 'schedule', lateMs: 0 };
      expect(linesOf(world, 'run started')).toEqual([
        { level: 'debug', message: 'run started', fields: run },
      ]);
      await clock.advance(1500);
      turn.end();
      const end = { outcome: 'succeeded', reason: null, durationMs: 1500, turns: 1 };
      expect(await endOf(world, 'succeeded')).toEqual({
        level: 'info',
        message: ENDED,
        fields: { ...run, ...end },
      });
      expect(linesOf(world, ENDED)).toHaveLength(1);
    }));

  it('warns of one that did not succeed, with its reason', () =>
    withWorld(scheduled(), async (world) => {
      await world.ops.triggers.run(USER, 'demo', 'nightly');
      (await world.until(() => world.runtime.turns[0])).end('failed', 'Step 1 failed.');
      expect(await endOf(world, 'failed')).toMatchObject({
        level: 'warn',
        fields: { cause: 'manual', reason: 'Step 1 failed.', lateMs: null },
      });
    }));

  it('warns of one that could not start', () =>
    withWorld(scheduled(), async (world) => {
      world.runtime.ready = false;
      await world.ops.triggers.run(USER, 'demo', 'nightly');
      expect(await endOf(world, 'failed')).toMatchObject({
        level: 'warn',
        fields: { trigger: 'nightly', durationMs: null, turns: 0 },
      });
      await world.clock.advance(MINUTE);
      await world.until(() => linesOf(world, ENDED)[1]);
    }));

  it('warns of a slot that is skipped', () =>
    withWorld(scheduled(), async (world) => {
      await world.clock.advance(MINUTE);
      await world.until(() => world.runtime.turns[0]);
      await world.clock.advance(MINUTE);
      expect(await endOf(world, 'skipped_overlap')).toMatchObject({
        level: 'warn',
        fields: { trigger: 'nightly', cause: 'schedule', durationMs: null },
      });
    }));

  it('logs further skipped slots at debug level', () =>
    withWorld(scheduled(), async (world) => {
      await world.clock.advance(MINUTE);
      await world.until(() => world.runtime.turns[0]);
      for (const count of [1, 2, 3]) {
        await world.clock.advance(MINUTE);
        await world.until(() => linesOf(world, ENDED).length === count);
      }
      expect(linesOf(world, ENDED).map(({ level }) => level)).toEqual(['warn', 'debug', 'debug']);
    }));

  it('warns of slots that were missed, in one line', () =>
    withWorld(scheduled(), async (world) => {
      await world.restart({ afterMs: 10 * MINUTE + 1 });
      await world.clock.advance(MINUTE - 2);
      const missed = await endOf(world, 'missed');
      expect(missed).toMatchObject({
        level: 'warn',
        fields: {
          ...{ project: 'demo', trigger: 'nightly', cause: 'schedule', slots: 9 },
          reason: 'The service was not running at that time.',
        },
      });
      expect(linesOf(world, ENDED)).toHaveLength(1);
      const runs = await world.runs();
      expect(runs.find(({ outcome }) => outcome === 'missed')?.id).toBe(missed.fields['runId']);
    }));

  it('warns of those that an earlier life left behind', () =>
    withWorld(scheduled(), async (world) => {
      await world.clock.advance(MINUTE);
      await world.until(() => world.runtime.turns[0]);
      await world.restart();
      expect(await endOf(world, 'interrupted')).toMatchObject({
        level: 'warn',
        fields: { reason: 'The service stopped during the run.' },
      });
    }));

  it('warns of one that is cancelled while it waits', () =>
    withWorld(scheduled(), async (world) => {
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const fired = await world.ops.triggers.run(USER, 'demo', 'nightly');
        if (fired.ok) ids.push(fired.value.runId);
      }
      await world.ops.runs.cancel(USER, 'demo', ids[2] ?? '');
      expect(await endOf(world, 'cancelled')).toMatchObject({
        level: 'warn',
        fields: { runId: ids[2], reason: 'Cancelled by a user.' },
      });
    }));
});

describe('the log of a project file', () => {
  const ODD = scheduled().replace('enabled', 'colour: red\n    enabled');
  const oddities = (world: World) => linesOf(world, 'warnings in project.yaml');

  it('has its warnings once for each change, each with its entry', () =>
    withWorld(ODD, async (world) => {
      expect(oddities(world)).toMatchObject([
        {
          level: 'warn',
          fields: { project: 'demo', warnings: [{ entry: 'nightly', path: expect.any(String) }] },
        },
      ]);
      // The second edit changes nothing, but arms the project again.
      const record = { trigger: { type: 'schedule', cron: '0 1 * * *' }, run: { prompt: 'Go.' } };
      await world.ops.triggers.put(USER, 'demo', 'other', { ...record, enabled: true });
      expect(oddities(world)).toHaveLength(2);
      await world.ops.triggers.put(USER, 'demo', 'other', { ...record, enabled: true });
      expect(oddities(world)).toHaveLength(2);
    }));

  it('has twenty of them at most, and how many there are', () => {
    const many = Array.from({ length: 30 }, (_, n) => `    odd${n}: 1\n`).join('');
    return withWorld(scheduled().replace('    enabled', `${many}    enabled`), async (world) => {
      const [line] = oddities(world);
      expect(line?.fields['warnings']).toHaveLength(21);
      expect(line?.fields['warnings']).toContainEqual({
        path: '',
        message: 'has 10 more warnings.',
      });
    });
  });
});
