import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createScheduler, type Fire, type Scheduler } from '@svc/scheduler';
import { at, createWorld, cron, every, keyOf, MINUTE, SECOND, type World } from './harness.ts';

const START = at('2026-01-05T08:59:00.000Z');

let world: World;
let before: Scheduler;
let after: Scheduler;
let fires: Fire[];

const wish = [cron('a', '0 9 * * *', { catchUp: 'none' }), every('b', '1m')];

beforeEach(async () => {
  world = createWorld('2026-01-05T08:59:00.000Z');
  fires = [];
  const { clock, claims, logger } = world;
  const onFire = (won: readonly Fire[]) => void fires.push(...won);
  before = world.start();
  after = createScheduler({ clock, claims, logger, onFire });
  await before.sync('demo', wish);
});

afterEach(async () => {
  await before.close();
  await after.close();
  expect(world.clock.pending).toBe(0);
});

function cursors(): number[] {
  return [...world.claims.armings.values()].map(({ cursor }) => cursor);
}

describe('a project that is released to another scheduler', () => {
  it('does not fire any more, and its stored data is kept', async () => {
    const stored = cursors();
    await before.release('demo');
    expect(before.size).toBe(0);
    expect(before.state(keyOf('a'))).toBeNull();
    await world.clock.advance(5 * MINUTE);
    expect(world.fires).toEqual([]);
    expect(cursors()).toEqual(stored);
  });

  // proves: nodes.loss-named
  it('names the lost process as the reason of unclaimed slots', async () => {
    const asked: number[] = [];
    const { clock, claims, logger } = world;
    const missed: (string | null)[] = [];
    const absence = (_key: unknown, due: number) => {
      asked.push(due);
      return 'The server atlas was killed.';
    };
    await after.close();
    after = createScheduler({ clock, claims, logger, onFire: () => {}, absence });
    await before.release('demo');
    await clock.advance(3 * MINUTE + SECOND);
    await after.sync('demo', wish, { isTakenOver: true });
    await clock.advance(SECOND);
    for (const { as, reason } of claims.won) if (as === 'missed') missed.push(reason);
    expect(missed).toEqual(['The server atlas was killed.']);
    expect(asked).toEqual([START + MINUTE]);
  });

  // proves: nodes.taken-over
  it('fires slots that became due in between as late, not as missed', async () => {
    await before.release('demo');
    await world.clock.advance(MINUTE + 20 * SECOND);
    await after.sync('demo', wish, { isTakenOver: true });
    await world.clock.advance(SECOND);
    expect(
      fires.map(({ key, scheduledFor, catchUp, lateMs }) => [
        key.name,
        scheduledFor,
        catchUp,
        lateMs,
      ]),
    ).toEqual([
      ['a', START + MINUTE, false, 20 * SECOND + 1],
      ['b', START + MINUTE, false, 20 * SECOND + 1],
    ]);
    await world.clock.advance(MINUTE);
    expect(fires).toHaveLength(3);
  });

  it('follows the catch-up window if it had no owner for longer', async () => {
    await before.release('demo');
    await world.clock.advance(5 * MINUTE);
    await after.sync('demo', wish, { isTakenOver: true });
    await world.clock.advance(MINUTE);
    const [first] = fires;
    expect(fires.map(({ key }) => key.name)).toEqual(['b', 'b']);
    expect(first).toMatchObject({ scheduledFor: START + 5 * MINUTE });
    const missed = world.claims.won.filter((claim) => claim.as === 'missed');
    expect(missed.map(({ key, count }) => [key.name, count])).toEqual(
      expect.arrayContaining([
        ['a', 1],
        ['b', 4],
      ]),
    );
  });

  it('is armed by two for a while, and no slot runs twice or is skipped', async () => {
    await after.sync('demo', wish, { isTakenOver: true });
    await world.clock.advance(10 * MINUTE);
    await before.release('demo');
    await world.clock.advance(10 * MINUTE);
    const slots = [...world.fires, ...fires]
      .filter(({ key }) => key.name === 'b')
      .map(({ scheduledFor }) => scheduledFor);
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots).toHaveLength(20);
  });
});
