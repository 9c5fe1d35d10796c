import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import type { Run } from '@svc/records';
import fc from 'fast-check';
import { MINUTE, scheduled, T0, type World, withWorld } from './harness.ts';

const withPolicy = (policy: string): string => `${scheduled()}    policy: ${policy}\n`;
const QUEUE = withPolicy('{ overlap: queue }');

const waiting = async ({ runs }: World): Promise<Run[]> =>
  (await runs()).filter(({ state, sessionId }) => state === 'queued' && sessionId === null);

async function untilOneWaits(world: World): Promise<Run> {
  await world.clock.advance(MINUTE);
  await world.until(() => world.runtime.turns.length === 1);
  await world.clock.advance(MINUTE);
  return world.until(async () => (await waiting(world)).find(({ reason }) => reason !== null));
}

describe('overlap: queue', () => {
  // proves: overlap.queue
  it('has one slot wait for the run before it, and skips later ones, which share a row', () =>
    withWorld(QUEUE, async (world) => {
      const held = await untilOneWaits(world);
      expect(held.reason).toBe('It waits for the previous run to end.');
      await world.clock.advance(2 * MINUTE);
      const skipped = await world.until(async () =>
        (await world.runs()).find(({ slotCount }) => slotCount === 2),
      );
      expect(skipped.outcome).toBe('skipped_overlap');
      world.runtime.turns[0]?.end();
      const turn = await world.until(() => world.runtime.turns[1]);
      expect(turn.spec.runId).toBe(held.id);
      turn.end();
      const ended = await world.until(async () =>
        (await world.runs()).find(({ id, state }) => id === held.id && state === 'ended'),
      );
      expect(ended).toMatchObject({ outcome: 'succeeded', reason: null });
    }));

  // proves: overlap.queue.cancel
  it('lets a waiting slot be cancelled; the next one waits in its place', () =>
    withWorld(QUEUE, async (world) => {
      const held = await untilOneWaits(world);
      await world.ops.runs.cancel(USER, 'demo', held.id);
      await world.clock.advance(MINUTE);
      const next = await world.until(async () => (await waiting(world))[0]);
      expect(next.id).not.toBe(held.id);
      world.runtime.turns[0]?.end();
      await world.until(() => world.runtime.turns[1]?.spec.runId === next.id);
    }));

  // proves: overlap.queue.kill
  it('starts a waiting slot after a kill', () =>
    withWorld(QUEUE, async (world) => {
      const held = await untilOneWaits(world);
      await world.restart();
      const turn = await world.until(() => world.runtime.turns[0]);
      expect(turn.spec.runId).toBe(held.id);
    }));

  // proves: overlap.queue
  it('starts a slot however long it has waited, but for a restart past its window', () =>
    withWorld(withPolicy('{ overlap: queue, catchUpWindow: 90s }'), async (world) => {
      const held = await untilOneWaits(world);
      await world.clock.advance(5 * MINUTE);
      world.runtime.turns[0]?.end();
      const turn = await world.until(() => world.runtime.turns[1]);
      expect(turn.spec.runId).toBe(held.id);
      await world.clock.advance(MINUTE);
      const next = await world.until(async () =>
        (await waiting(world)).find(({ reason }) => reason !== null),
      );
      await world.restart({ afterMs: 5 * MINUTE });
      const missed = await world.until(async () =>
        (await world.runs()).find(({ id, state }) => id === next.id && state === 'ended'),
      );
      expect(missed.outcome).toBe('missed');
    }));

  // proves: overlap.queue, overlap.queue.kill
  it('never has two run or two wait, and one row covers each slot, whatever ends and is killed', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('slot', 'slot', 'end', 'kill'), { minLength: 4, maxLength: 14 }),
        (deeds) =>
          withWorld(QUEUE, async (world) => {
            const life = { slots: 0, ended: 0 };
            for (const deed of deeds) {
              await act(world, deed, life);
              await world.until(() => isSettled(world, life.slots));
            }
          }),
      ),
      { numRuns: 12 },
    ));
});

async function act(
  world: World,
  deed: string,
  life: { slots: number; ended: number },
): Promise<void> {
  if (deed === 'slot') {
    life.slots += 1;
    await world.clock.advance(MINUTE);
  } else if (deed === 'kill') {
    await world.restart();
    life.ended = 0;
  } else if (world.runtime.turns.length > life.ended) {
    world.runtime.turns[life.ended]?.end();
    life.ended += 1;
  }
}

async function isSettled(world: World, slots: number): Promise<boolean> {
  const all = await world.runs();
  const running = all.filter(({ state, sessionId }) => state !== 'ended' && sessionId !== null);
  expect(running.length).toBeLessThanOrEqual(1);
  const waits = all.filter(({ state, sessionId }) => state === 'queued' && sessionId === null);
  expect(waits.filter(({ reason }) => reason !== null).length).toBeLessThanOrEqual(1);
  const covered = all.flatMap(({ scheduledFor, slotCount }) =>
    Array.from({ length: slotCount }, (_, n) => Date.parse(scheduledFor ?? '') + n * MINUTE),
  );
  expect(new Set(covered).size).toBe(covered.length);
  const isRight = covered.length === slots && covered.every((at) => at > T0);
  const isQuiet = running.every(({ state }) => state === 'running');
  return isRight && isQuiet && (waits.length === 0 || running.length === 1);
}

describe('overlap: allow', () => {
  // proves: overlap.allow
  it('starts slots beside each other', () =>
    withWorld(withPolicy('{ overlap: allow }'), async (world) => {
      await world.clock.advance(2 * MINUTE);
      await world.until(() => world.runtime.turns.length === 2);
      const runs = await world.runs();
      expect(runs.map(({ outcome }) => outcome)).toEqual([null, null]);
    }));
});
