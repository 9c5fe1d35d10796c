import { describe, expect, it } from '@jest/globals';
import { armedHash } from './armed.ts';
import { MINUTE, scheduled, T0, type World, withWorld } from './harness.ts';

const jittered = (jitter: string): string => `${scheduled()}    policy: { jitter: ${jitter} }\n`;

const delayOf = async ({ ops }: World): Promise<number> => {
  const states = await ops.triggers.runtime('demo');
  return (states.ok && states.value[0]?.startDelayMs) || 0;
};

describe('policy.jitter', () => {
  // proves: policy.jitter.constant
  it('adds a constant delay no longer than itself, which is reported', () =>
    withWorld(jittered('30s'), async (world) => {
      const delay = await delayOf(world);
      // By the digest of `demo/nightly`, so that it is the same everywhere.
      expect(delay).toBe(6_455);
      await world.restart();
      expect(await delayOf(world)).toBe(delay);
      await world.clock.advance(MINUTE + delay - 1);
      expect(await world.runs()).toEqual([]);
      await world.clock.advance(1);
      const run = await world.until(async () => (await world.runs())[0]);
      expect(run).toMatchObject({
        scheduledFor: new Date(T0 + MINUTE).toISOString(),
        claimedAt: new Date(T0 + MINUTE + delay).toISOString(),
        lateMs: 0,
        catchUp: false,
      });
    }));

  it('is not reported for a trigger without jitter or a disabled one', async () => {
    await withWorld(scheduled(), async (world) => expect(await delayOf(world)).toBe(0));
    const off = jittered('30s').replace('enabled: true', 'enabled: false');
    await withWorld(off, async (world) => expect(await delayOf(world)).toBe(0));
  });

  it('makes the window of a slot that was claimed and not started no shorter', () =>
    withWorld(`${jittered('24h').replace('* * * * *', '0 0 1 1 *')}`, async (world) => {
      const delay = await delayOf(world);
      const slot = T0 + 1;
      const key = { project: 'demo', source: 'trigger', name: 'nightly' } as const;
      const claim = {
        ...{ key, scheduleHash: await armedHash(world, key), as: 'run' as const },
        ...{ from: slot, until: slot, count: 1, claimedAt: slot + delay, lateMs: 0 },
        ...{ catchUp: false, reason: null },
      };
      await world.store.claims.claim([claim]);
      await world.restart({ afterMs: delay + 59 * MINUTE });
      const turn = await world.until(() => world.runtime.turns[0]);
      expect(turn.spec.runId).toBe((await world.runs())[0]?.id);
    }));
});
