import { afterEach, describe, expect, it } from '@jest/globals';
import { createScheduler, type Scheduler } from '@svc/scheduler';
import {
  at,
  createWorld,
  cron,
  earlyTimers,
  every,
  faceOf,
  HOUR,
  keyOf,
  MINUTE,
  SECOND,
  type World,
} from './harness.ts';

let world: World;
let scheduler: Scheduler;

function begin(...given: Parameters<typeof createWorld>): void {
  world = createWorld(...given);
  scheduler = world.start();
}

afterEach(async () => {
  await scheduler.close();
  expect(world.clock.pending).toBe(0);
});

describe('a due slot', () => {
  // proves: firing.by-time
  it('is claimed at its instant and handed over with its run', async () => {
    begin();
    await scheduler.sync('demo', [cron('hourly', '0 * * * *')]);
    await world.clock.advance(HOUR - 1);
    expect(world.fires).toEqual([]);
    await world.clock.advance(1);
    expect(world.claims.won).toEqual([
      {
        key: keyOf('hourly'),
        scheduleHash: '0 * * * *',
        as: 'run',
        from: at('2026-01-05T01:00:00.000Z'),
        until: at('2026-01-05T01:00:00.000Z'),
        count: 1,
        claimedAt: at('2026-01-05T01:00:00.000Z'),
        lateMs: 0,
        catchUp: false,
        reason: null,
      },
    ]);
    expect(world.fires).toEqual([
      {
        key: keyOf('hourly'),
        runId: '00000000-0000-7000-8000-000000000001',
        scheduledFor: at('2026-01-05T01:00:00.000Z'),
        lateMs: 0,
        catchUp: false,
      },
    ]);
  });

  // proves: firing.by-time, firing.slot.exactly-once
  it('is followed by the next one, each exactly once', async () => {
    begin();
    await scheduler.sync('demo', [cron('a', '*/20 * * * *'), every('b', '25m')]);
    await world.clock.advance(HOUR);
    expect(world.log).toEqual([
      'a 00:20:00',
      'b 00:25:00',
      'a 00:40:00',
      'b 00:50:00',
      'a 01:00:00',
    ]);
    expect(world.claims.lost).toEqual([]);
  });

  it('is not claimed a millisecond early by a timer that fires early', async () => {
    begin(undefined, earlyTimers);
    await scheduler.sync('demo', [cron('often', '* * * * *')]);
    await world.clock.advance(10 * MINUTE + SECOND);
    expect(world.fires.map((fire) => fire.lateMs)).toEqual(Array(10).fill(0));
    expect(world.claims.lost).toEqual([]);
  });

  it('is on time if it becomes the earliest while the timer waits for a later one', async () => {
    begin();
    await scheduler.sync('demo', [cron('later', '0 12 * * *')]);
    await world.clock.advance(50 * SECOND);
    await scheduler.sync('other', [cron('sooner', '1 0 * * *', { project: 'other' })]);
    await world.clock.advance(10 * SECOND);
    expect(world.log).toEqual(['sooner 00:01:00']);
    expect(world.fires[0]?.lateMs).toBe(0);
  });

  it('starts nothing if another process has decided it', async () => {
    begin();
    const rival = world.start();
    const wanted = [cron('shared', '*/10 * * * *')];
    await scheduler.sync('demo', wanted);
    await rival.sync('demo', wanted);
    await world.clock.advance(HOUR);
    expect(world.fires).toHaveLength(6);
    expect(world.claims.lost).toHaveLength(6);
    await rival.close();
  });

  it('is handed over even if its trigger is disarmed during the claim', async () => {
    begin();
    await scheduler.sync('demo', [cron('gone', '0 * * * *')]);
    const open = hold();
    await world.clock.advance(HOUR);
    const disarmed = scheduler.sync('demo', []);
    await world.clock.settle();
    expect(world.claims.armings.size).toBe(1);
    open();
    await disarmed;
    expect(world.log).toEqual(['gone 01:00:00']);
    expect(world.claims.armings.size).toBe(0);
    expect(scheduler.state(keyOf('gone'))).toBeNull();
  });
});

describe('many slots due at once', () => {
  it('are claimed in bounded batches and handed over once per batch, in order', async () => {
    begin();
    const handed: number[] = [];
    await scheduler.close();
    const { clock, logger, claims } = world;
    const onFire = (won: readonly unknown[]) => void handed.push(won.length);
    scheduler = createScheduler({ clock, logger, claims, onFire }, { maxBatch: 100 });
    await scheduler.sync(
      'demo',
      Array.from({ length: 450 }, (_, index) => cron(`t${index}`, '0 * * * *')),
    );
    await clock.advance(HOUR);
    expect(handed.reduce((sum, length) => sum + length, 0)).toBe(450);
    expect(Math.max(...world.claims.batches)).toBeLessThanOrEqual(100);
    expect(handed).toEqual(world.claims.batches);
    expect(world.claims.won.map((claim) => claim.key.name)).toEqual(
      Array.from({ length: 450 }, (_, index) => `t${index}`),
    );
  });

  it('have at most the given number of claims in flight', async () => {
    begin();
    await scheduler.close();
    scheduler = world.start({ maxBatch: 2, maxClaimsInFlight: 3 });
    await scheduler.sync(
      'demo',
      ['a', 'b', 'c', 'd', 'e'].map((name) => cron(name, '0 * * * *')),
    );
    const open = hold();
    await world.clock.advance(HOUR);
    expect(world.claims.batches).toHaveLength(3);
    open();
    await world.clock.advance(1);
    expect(world.fires).toHaveLength(5);
  });
});

describe('a scheduler', () => {
  it('has no timer while nothing is armed', async () => {
    begin();
    expect(world.clock.pending).toBe(0);
    await scheduler.sync('demo', [cron('a', '0 * * * *')]);
    expect(world.clock.pending).toBe(1);
    await scheduler.sync('demo', []);
    expect(world.clock.pending).toBe(0);
  });

  it('has one timer however many triggers are armed', async () => {
    begin();
    await scheduler.sync(
      'demo',
      Array.from({ length: 300 }, (_, index) => cron(`t${index}`, `${index % 60} * * * *`)),
    );
    expect(world.clock.pending).toBe(1);
    await world.clock.advance(HOUR);
    expect(world.clock.pending).toBe(1);
  });

  it('never sleeps longer than 30 s', async () => {
    const sleeps: number[] = [];
    begin(undefined, (clock) => ({
      ...faceOf(clock),
      setTimeout: (callback, ms) => {
        sleeps.push(ms);
        return clock.setTimeout(callback, ms);
      },
    }));
    await scheduler.sync('demo', [cron('monthly', '0 0 1 * *')]);
    await world.clock.advance(HOUR);
    expect(sleeps.length).toBeGreaterThanOrEqual(120);
    expect(Math.max(...sleeps)).toBe(30 * SECOND);
    expect(Math.min(...sleeps)).toBeGreaterThanOrEqual(1);
  });

  it('waits for claims in flight when it is closed, and fires nothing afterwards', async () => {
    begin();
    await scheduler.sync('demo', [cron('often', '* * * * *')]);
    const open = hold();
    await world.clock.advance(MINUTE);
    let closed = false;
    const closing = scheduler.close().then(() => {
      closed = true;
    });
    await world.clock.settle();
    expect(closed).toBe(false);
    open();
    await closing;
    expect(world.log).toEqual(['often 00:01:00']);
    await world.clock.advance(HOUR);
    expect(world.log).toEqual(['often 00:01:00']);
    await expect(scheduler.sync('demo', [])).rejects.toMatchObject({ code: 'closed' });
  });

  it('continues if a won slot cannot be started, and logs the reason', async () => {
    begin();
    await scheduler.close();
    const { clock, logger, claims } = world;
    let calls = 0;
    scheduler = createScheduler({
      clock,
      logger,
      claims,
      onFire: () => {
        calls += 1;
        if (calls === 1) throw new Error('no room');
        return Promise.reject(new Error('no room'));
      },
    });
    await scheduler.sync('demo', [cron('often', '* * * * *')]);
    await clock.advance(3 * MINUTE);
    expect(calls).toBe(3);
    expect(logger.lines.filter((line) => line.level === 'error')).toHaveLength(3);
  });

  it.each([
    ['graceMs', -1],
    ['spreadMs', 0.5],
    ['sliceMs', 0],
    ['maxBatch', 1],
    ['maxClaimsInFlight', Number.NaN],
  ])('refuses %s: %d and reports the valid range', (name, value) => {
    begin();
    expect(() => world.start({ [name]: value })).toThrow(`${name} must be a whole number from`);
  });
});

function hold(): () => void {
  let open = () => {};
  world.claims.gate = new Promise((resolve) => {
    open = () => {
      world.claims.gate = null;
      resolve();
    };
  });
  return () => open();
}
