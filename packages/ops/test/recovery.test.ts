import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { armedHash } from './armed.ts';
import { MINUTE, scheduled, T0, type World, withWorld } from './harness.ts';

const key = { project: 'demo', source: 'trigger', name: 'nightly' } as const;
const claimAt = async (world: World, at: number) => ({
  key,
  scheduleHash: await armedHash(world, key),
  as: 'run' as const,
  from: at,
  until: at,
  count: 1,
  claimedAt: at,
  lateMs: 0,
  catchUp: false,
  reason: null,
});

describe('after a crash', () => {
  it('a turn that was running is interrupted, its processes are ended first, and it never runs again', () =>
    withWorld(scheduled(), async (world) => {
      await world.clock.advance(MINUTE);
      const turn = await world.until(() => world.runtime.turns[0]);
      await world.restart();
      expect(world.reaped).toEqual([[turn.spec.turnId]]);
      expect(await world.runs()).toMatchObject([
        {
          outcome: 'interrupted',
          state: 'ended',
          reason: 'The service stopped during the run.',
        },
      ]);
      expect(world.runtime.turns).toEqual([]);
    }));

  it('the projects of interrupted turns are swept of what was half-written, and no others', () =>
    withWorld(scheduled(), async (world) => {
      world.write('idle/project.yaml', scheduled());
      for (let n = 0; n < 2; n += 1) await world.ops.triggers.run(USER, 'demo', 'nightly');
      await world.until(() => world.runtime.turns.length === 2);
      expect(world.swept).toEqual([]);
      await world.restart();
      await world.until(() => world.swept.length > 0);
      expect(world.swept).toEqual([[join(world.root, 'demo'), world.clock.now()]]);
    }));

  it('a turn that waited is started', () =>
    withWorld(scheduled(), async (world) => {
      for (let n = 0; n < 3; n += 1) await world.ops.triggers.run(USER, 'demo', 'nightly');
      await world.until(() => world.runtime.turns.length === 2);
      await world.restart();
      await world.until(() => world.runtime.turns.length === 1);
      expect((await world.runs()).map((run) => run.outcome)).toEqual([
        null,
        'interrupted',
        'interrupted',
      ]);
    }));

  // proves: firing.clock.back
  it('a turn that waited for its place is started, also where its slot is to come, as the clock was set back', () =>
    withWorld(
      scheduled().replace('enabled', 'policy: { catchUp: none, overlap: allow }\n    enabled'),
      async (world) => {
        for (let n = 0; n < 2; n += 1) await world.ops.triggers.run(USER, 'demo', 'nightly');
        await world.until(() => world.runtime.turns.length === 2);
        await world.clock.advance(MINUTE + 1);
        const slot = '2026-03-01T09:01:00.000Z';
        const find = async () =>
          (await world.runs()).find(({ scheduledFor }) => scheduledFor === slot);
        await world.until(async () => (await find())?.sessionId);
        await world.restart({ afterMs: -2 * MINUTE });
        const turn = await world.until(() => world.runtime.turns[0]);
        turn.end();
        expect(await world.until(async () => (await find())?.outcome)).toBe('succeeded');
      },
    ));

  it('a slot that was claimed but not started is started inside its window', () =>
    withWorld(scheduled(), async (world) => {
      await world.store.claims.claim([await claimAt(world, T0 + 1)]);
      await world.restart({ afterMs: 59 * MINUTE });
      const turn = await world.until(() => world.runtime.turns[0]);
      turn.end();
      const run = await world.until(async () =>
        (await world.runs()).find(({ outcome }) => outcome === 'succeeded'),
      );
      expect(run.scheduledFor).toBe('2026-03-01T09:00:00.001Z');
    }));

  it('starts the first of two such slots, and skips the one after it', () =>
    withWorld(scheduled(), async (world) => {
      await world.store.claims.claim([await claimAt(world, T0 + 1), await claimAt(world, T0 + 2)]);
      await world.restart({ afterMs: 10 });
      await world.until(() => world.runtime.turns[0]);
      const runs = await world.runs();
      expect(runs.map(({ scheduledFor, outcome }) => [scheduledFor, outcome])).toEqual([
        ['2026-03-01T09:00:00.002Z', 'skipped_overlap'],
        ['2026-03-01T09:00:00.001Z', null],
      ]);
    }));

  it('and is recorded as missed outside of it', () =>
    withWorld(scheduled(), async (world) => {
      await world.store.claims.claim([await claimAt(world, T0 + 1)]);
      await world.restart({ afterMs: 61 * MINUTE });
      const run = await world.until(async () =>
        (await world.runs()).find(({ scheduledFor }) => scheduledFor?.endsWith('09:00:00.001Z')),
      );
      expect(run).toMatchObject({ outcome: 'missed', sessionId: null });
    }));

  it.each([
    ['disabled', scheduled().replace('enabled: true', 'enabled: false'), 'was disabled'],
    ['deleted', 'name: Demo\n', 'no trigger nightly in the project demo'],
  ])('and comes to nothing when its trigger was %s meanwhile', (_how, yaml, word) =>
    withWorld(scheduled(), async (world) => {
      await world.store.claims.claim([await claimAt(world, T0 + 1)]);
      await world.restart({ edit: () => world.write('demo/project.yaml', yaml) });
      expect(await world.runs()).toMatchObject([
        { outcome: 'cancelled', sessionId: null, reason: expect.stringContaining(word) },
      ]);
    }),
  );

  it('slots that passed meanwhile are made up for once, the newest, and the others shown as missed', () =>
    withWorld(scheduled(), async (world) => {
      await world.restart({ afterMs: 10 * MINUTE });
      await world.clock.advance(30_000);
      const turn = await world.until(() => world.runtime.turns[0]);
      turn.end();
      const runs = await world.until(async () => {
        const all = await world.runs();
        return all.some((run) => run.outcome === 'succeeded') ? all : null;
      });
      const shown = runs.map(({ outcome, slotCount, catchUp }) => [outcome, slotCount, catchUp]);
      expect(shown.sort()).toEqual([
        ['missed', 9, false],
        ['succeeded', 1, true],
      ]);
    }));
});

describe('closing', () => {
  it('interrupts what does not end in time, and says so', () =>
    withWorld(scheduled(), async (world) => {
      await world.clock.advance(MINUTE);
      await world.until(() => world.runtime.turns[0]);
      await world.ops.close(0);
      expect(await world.runs()).toMatchObject([
        { outcome: 'interrupted', reason: 'The service was shut down during the run.' },
      ]);
    }));
});
