import { afterEach, describe, expect, it } from '@jest/globals';
import type { Scheduler } from '@svc/scheduler';
import { createWorld, cron, every, HOUR, keyOf, MINUTE, SECOND, type World } from './harness.ts';

const DELAY = 10 * MINUTE;

let world: World;
let scheduler: Scheduler;

const begin = () => {
  world = createWorld();
  scheduler = world.start();
};
const restart = async (downMs: number) => {
  await scheduler.close();
  world.clock.suspend(downMs);
  scheduler = world.start();
};
const hourly = (delayMs: number, extra = {}) => cron('hourly', '0 * * * *', { delayMs, ...extra });
const wants = (...requests: ReturnType<typeof cron>[]) => scheduler.sync('demo', requests);
const startedAt = () => world.claims.won.map(({ claimedAt }) => claimedAt % HOUR);

afterEach(() => scheduler.close());

describe('a delayed start', () => {
  // proves: policy.jitter
  it('comes that long after its slot, which keeps its instant', async () => {
    begin();
    await wants(hourly(DELAY));
    await world.clock.advance(HOUR + DELAY - 1);
    expect(world.fires).toEqual([]);
    expect(scheduler.state(keyOf('hourly'))?.nextFire).toBe(Date.parse('2026-01-05T02:00:00.000Z'));
    await world.clock.advance(1);
    expect(world.log).toEqual(['hourly 01:00:00']);
    expect(world.fires[0]).toMatchObject({ lateMs: 0, catchUp: false });
    expect(startedAt()).toEqual([DELAY]);
  });

  it('keeps waiting after a restart, and after the clock is set back', async () => {
    begin();
    await wants(hourly(DELAY));
    await world.clock.advance(HOUR + MINUTE);
    await restart(3 * MINUTE);
    await wants(hourly(DELAY));
    await world.clock.advance(MINUTE);
    expect(world.fires).toEqual([]);
    world.clock.step(world.clock.now() - 2 * MINUTE);
    await world.clock.advance(7 * MINUTE - 1);
    expect(world.fires).toEqual([]);
    await world.clock.advance(1);
    expect(world.fires).toMatchObject([{ lateMs: 0, catchUp: false }]);
  });

  it('is caught up after downtime, with the age of its start', async () => {
    begin();
    const request = hourly(DELAY, { catchUpWindowMs: 5 * MINUTE });
    await wants(request);
    await world.clock.advance(HOUR);
    await restart(DELAY + 4 * MINUTE);
    await wants(request);
    await world.clock.advance(30 * SECOND);
    expect(world.log).toEqual(['hourly 01:00:00*']);
    await world.clock.advance(HOUR - 10 * MINUTE);
    await restart(DELAY + 6 * MINUTE);
    await wants(request);
    await world.clock.advance(MINUTE);
    expect(world.claims.won.map(({ as }) => as)).toEqual(['run', 'missed']);
  });

  it('is not early after a clock that made it late is set back', async () => {
    begin();
    await wants(hourly(DELAY));
    await world.clock.advance(HOUR);
    await restart(DELAY + 5 * MINUTE);
    await wants(hourly(DELAY));
    world.clock.step(world.clock.now() - 8 * MINUTE);
    await world.clock.advance(3 * MINUTE - 1);
    expect(world.fires).toEqual([]);
    await world.clock.advance(1);
    expect(startedAt()).toEqual([DELAY]);
  });

  it('skips no slot if the delay is longer than the period', async () => {
    begin();
    await wants(every('often', '1m', { delayMs: 3 * MINUTE + 1 }));
    await world.clock.advance(10 * MINUTE + 1);
    expect(world.log).toEqual([1, 2, 3, 4, 5, 6, 7].map((minute) => `often 00:0${minute}:00`));
    expect(world.fires.every(({ lateMs }) => lateMs === 0)).toBe(true);
  });

  it('uses a new delay at once for a future slot, and later for a waiting one', async () => {
    begin();
    await wants(hourly(50 * MINUTE));
    await world.clock.advance(30 * MINUTE);
    await wants(hourly(40 * MINUTE));
    await world.clock.advance(HOUR);
    expect(await wants(hourly(0, { catchUp: 'none' }))).toMatchObject({ rearmed: 1 });
    await world.clock.advance(3 * HOUR);
    expect(startedAt()).toEqual([40 * MINUTE, 0, 0, 0]);
    expect(world.claims.won.every(({ as }) => as === 'run')).toBe(true);
  });

  it('does not happen if the trigger is gone by then', async () => {
    begin();
    await wants(hourly(DELAY));
    await world.clock.advance(HOUR + MINUTE);
    await wants();
    await world.clock.advance(2 * HOUR);
    expect(world.claims.won).toEqual([]);
  });
});
