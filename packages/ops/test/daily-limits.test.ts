import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { MINUTE, scheduled, type World, withWorld } from './harness.ts';

const LIMITED = scheduled().replace(
  'enabled: true',
  'policy: { firesPerDay: 2 }\n    enabled: true',
);
const DAY = 24 * 60 * MINUTE;

async function fired({ clock, runtime, runs, until }: World, count: number): Promise<void> {
  const before = runtime.turns.length;
  for (let n = 0; n < count; n += 1) {
    await clock.advance(MINUTE);
    (await until(() => runtime.turns[before + n])).end();
    await until(async () => (await runs()).every(({ state }) => state === 'ended'));
  }
}

const skipped = async ({ runs }: World) =>
  (await runs()).find(({ outcome }) => outcome === 'skipped_limit');

describe('a daily limit of fires', () => {
  // proves: policy.fires-per-day
  it('of a trigger has later slots skipped, and Run now refused, until the day is over', () =>
    withWorld(LIMITED, async (world) => {
      await fired(world, 2);
      await world.clock.advance(MINUTE);
      await world.until(() => skipped(world));
      await world.clock.advance(MINUTE);
      const run = await world.until(async () => {
        const found = await skipped(world);
        return found?.slotCount === 2 ? found : null;
      });
      const reason =
        'Daily limit reached: 2 runs today (policy.firesPerDay). The trigger can fire again tomorrow.';
      expect(run).toMatchObject({ reason, sessionId: null });
      const now = await world.ops.triggers.run(USER, 'demo', 'nightly');
      expect(now).toMatchObject({ error: { code: 'conflict', message: reason } });
      expect(world.runtime.turns).toHaveLength(2);
      world.clock.suspend(DAY);
      await world.clock.advance(MINUTE);
      await world.until(() => world.runtime.turns.length > 2);
    }));

  // proves: policy.fires-per-day
  it('counts Run now, and what was started before a restart', () =>
    withWorld(LIMITED, async (world) => {
      expect((await world.ops.triggers.run(USER, 'demo', 'nightly')).ok).toBe(true);
      (await world.until(() => world.runtime.turns[0])).end();
      await world.until(async () => (await world.runs())[0]?.state === 'ended');
      await world.restart();
      await fired(world, 1);
      await world.clock.advance(MINUTE);
      await world.until(async () => (await skipped(world)) !== undefined);
    }));

  // proves: limits.fires-per-day
  it('of the instance counts all triggers together', () =>
    withWorld(
      `${scheduled()}${scheduled().replace('triggers:\n', '').replace('nightly', 'other')}`,
      async (world) => {
        for (const name of ['nightly', 'other', 'nightly']) {
          expect((await world.ops.triggers.run(USER, 'demo', name)).ok).toBe(true);
        }
        expect(await world.ops.triggers.run(USER, 'demo', 'other')).toMatchObject({
          error: {
            code: 'conflict',
            message:
              'Daily limit of this instance reached: 3 runs today (limits.firesPerDay). Triggers can fire again tomorrow.',
          },
        });
      },
      { firesPerDay: 3 },
    ));
});
