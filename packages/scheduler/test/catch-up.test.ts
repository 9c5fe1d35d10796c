import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ArmRequest, Scheduler } from '@svc/scheduler';
import {
  at,
  costlyClock,
  createWorld,
  cron,
  cronOf,
  DAY,
  every,
  HOUR,
  keyOf,
  MINUTE,
  requestOf,
  SECOND,
  time,
  type World,
} from './harness.ts';

const START = at('2026-01-05T00:00:00.000Z');

let world: World;
let scheduler: Scheduler;

beforeEach(() => {
  world = createWorld();
  scheduler = world.start();
});

afterEach(async () => {
  await scheduler.close();
  expect(world.clock.pending).toBe(0);
  expect(world.claims.lost).toEqual([]);
});

/** The service runs briefly, is down for a while, and runs again. */
async function down(ms: number, ...wanted: ArmRequest[]): Promise<void> {
  await scheduler.sync('demo', wanted);
  await scheduler.close();
  await world.clock.advance(ms);
  scheduler = world.start();
  await scheduler.sync('demo', wanted);
}

function decided(): string[] {
  return world.claims.won.map(({ as, from, until, count, reason }) =>
    as === 'run' ? `run ${time(from)}` : `missed ${time(from)}-${time(until)} ${count}: ${reason}`,
  );
}

describe('slots that passed while the service was down', () => {
  it('are one missed row, except for the newest, which runs as a catch-up', async () => {
    await down(3 * HOUR + 30 * MINUTE, cron('a', '0 * * * *'));
    expect(world.fires).toEqual([]);
    await world.clock.advance(30 * SECOND);
    expect(world.log).toEqual(['a 03:00:00*']);
    expect(decided()).toEqual([
      'missed 01:00:00-02:00:00 2: The service was not running at that time.',
      'run 03:00:00',
    ]);
    expect(world.claims.batches).toEqual([2]);
  });

  it('are all missed if catch-up is disabled', async () => {
    await down(3 * HOUR + 30 * MINUTE, cron('a', '0 * * * *', { catchUp: 'none' }));
    await world.clock.advance(30 * SECOND);
    expect(world.fires).toEqual([]);
    expect(decided()).toEqual([
      'missed 01:00:00-03:00:00 3: The service was not running at that time.',
    ]);
  });

  it.each([
    ['cron, default window of 1 h', cron('a', '0 1 * * *'), 2 * HOUR - 1, true],
    ['cron, default window of 1 h', cron('a', '0 1 * * *'), 2 * HOUR, false],
    ['an interval, window of one period', every('a', '10h'), 19 * HOUR, true],
    ['a window of 5 min', every('a', '1h', { catchUpWindowMs: 5 * MINUTE }), 65 * MINUTE - 1, true],
    ['a window of 5 min', every('a', '1h', { catchUpWindowMs: 5 * MINUTE }), 65 * MINUTE, false],
  ])('%s: %#', async (_, wanted, ms, runs) => {
    await down(ms, wanted);
    await world.clock.advance(30 * SECOND);
    expect(world.claims.won.map((claim) => claim.as)).toEqual([runs ? 'run' : 'missed']);
    expect(world.fires.map((fire) => fire.catchUp)).toEqual(runs ? [true] : []);
  });

  it('are reported as too old to be caught up', async () => {
    await down(5 * HOUR, cron('a', '0 1 * * *'), every('b', '150m', { catchUpWindowMs: 90_000 }));
    await world.clock.advance(30 * SECOND);
    expect(decided().sort()).toEqual([
      'missed 01:00:00-01:00:00 1: It was due more than 1 h before the service could claim it.',
      'missed 02:30:00-02:30:00 1: The service was not running at that time.',
      'run 05:00:00',
    ]);
  });

  it('are spread over 30 s, every trigger at a constant point', async () => {
    const wanted = Array.from({ length: 60 }, (_, index) => cron(`t${index}`, '0 * * * *'));
    const points = async () => {
      world = createWorld();
      scheduler = world.start();
      await down(HOUR + 10 * MINUTE, ...wanted);
      await world.clock.advance(30 * SECOND);
      await scheduler.close();
      return new Map(world.claims.won.map((claim) => [claim.key.name, claim.claimedAt]));
    };
    const first = await points();
    expect(first.size).toBe(60);
    const instants = [...first.values()].map((instant) => instant - at('2026-01-05T01:10:00.000Z'));
    expect(Math.min(...instants)).toBeLessThan(5 * SECOND);
    expect(Math.max(...instants)).toBeGreaterThan(25 * SECOND);
    expect(new Set(instants).size).toBeGreaterThan(50);
    expect(await points()).toEqual(first);
  });

  it('do not become too old by waiting for their point of the spread', async () => {
    const wanted = Array.from({ length: 20 }, (_, index) => cron(`t${index}`, '0 1 * * *'));
    await down(2 * HOUR - 1, ...wanted);
    await world.clock.advance(30 * SECOND);
    expect(world.fires).toHaveLength(20);
  });

  it('are caught up before the next regular slot, which is on time', async () => {
    const wanted = Array.from({ length: 20 }, (_, index) => cron(`t${index}`, '* * * * *'));
    await down(5 * MINUTE + 59 * SECOND, ...wanted);
    await world.clock.advance(SECOND);
    const regular = world.fires.filter(
      (fire) => fire.scheduledFor === at('2026-01-05T00:06:00.000Z'),
    );
    expect(regular).toHaveLength(20);
    expect(regular.every((fire) => fire.lateMs === 0 && !fire.catchUp)).toBe(true);
    const caughtUp = world.fires.filter((fire) => fire.catchUp);
    expect(caughtUp).toHaveLength(20);
    expect(new Set(caughtUp.map((fire) => fire.scheduledFor))).toEqual(
      new Set([at('2026-01-05T00:05:00.000Z')]),
    );
    expect(decided()).toContain(
      'missed 00:01:00-00:04:00 4: The service was not running at that time.',
    );
  });

  it('are only recorded if catch-up is disabled, even if they are recent', async () => {
    await down(HOUR + 2 * SECOND, cron('a', '0 * * * *', { catchUp: 'none' }));
    await world.clock.advance(31 * SECOND);
    expect(world.log).toEqual([]);
    expect(decided()).toContain(
      'missed 01:00:00-01:00:00 1: The service was not running at that time.',
    );
  });

  it('do not count before the arming', async () => {
    await scheduler.sync('demo', [cron('a', '0 * * * *')]);
    await scheduler.close();
    await world.clock.advance(90 * MINUTE);
    scheduler = world.start();
    await scheduler.sync('demo', [cron('a', '5 * * * *')]);
    await world.clock.advance(MINUTE);
    expect(world.claims.won).toEqual([]);
  });

  it('are not decided again by the next start', async () => {
    const wanted = [cron('a', '*/30 * * * *')];
    await down(3 * HOUR + MINUTE, ...wanted);
    await world.clock.advance(30 * SECOND);
    await scheduler.close();
    scheduler = world.start();
    await scheduler.sync('demo', wanted);
    await world.clock.advance(30 * SECOND);
    expect(world.log).toEqual(['a 03:00:00*']);
  });

  it('are never multiplied by a crash loop', async () => {
    const wanted = [every('a', '1h')];
    await scheduler.sync('demo', wanted);
    for (let crash = 0; crash < 30; crash += 1) {
      await world.clock.advance(10 * MINUTE);
      await scheduler.close();
      scheduler = world.start();
      await scheduler.sync('demo', wanted);
    }
    await world.clock.advance(MINUTE);
    expect(world.log.map((line) => line.slice(0, 10))).toEqual(
      [1, 2, 3, 4, 5].map((k) => `a 0${k}:00:00`),
    );
  });

  it('are counted in small slices if there are thousands, and others fire on time', async () => {
    const slow = cron('slow', '* * * * *', { catchUpWindowMs: 2 * DAY });
    const quick = Array.from({ length: 20 }, (_, index) => cron(`q${index}`, '* * * * *'));
    await scheduler.sync('demo', [slow]);
    await scheduler.close();
    world.clock.suspend(30 * DAY);
    const { clock, yields } = costlyClock(world.clock, 1);
    scheduler = world.start({ spreadMs: 0 }, clock);
    await scheduler.sync('demo', [slow, ...quick]);
    await world.clock.advance(MINUTE);
    const quickFires = () => world.fires.filter((fire) => fire.key.name !== 'slow');
    await until(() => quickFires().length > 0);
    expect(quickFires()).toHaveLength(20);
    expect(quickFires().every((fire) => fire.lateMs === 0)).toBe(true);
    expect(world.fires).toHaveLength(20);
    await until(() => world.fires.length > 20);
    expect(yields.length).toBeGreaterThan(30);
    const [missed, run] = world.claims.won.filter((claim) => claim.key.name === 'slow');
    expect(missed).toMatchObject({ as: 'missed', from: START + MINUTE, until: START + 30 * DAY });
    expect(missed?.count).toBe((30 * DAY) / MINUTE);
    expect(run).toMatchObject({ as: 'run', from: START + 30 * DAY + MINUTE });
  });

  it('are counted once for many triggers with the same expression', async () => {
    const expression = cronOf('* * * * *');
    let reads = 0;
    const recurrence = new Proxy(expression, {
      get(target, field) {
        if (field === 'hours') reads += 1;
        return Reflect.get(target, field);
      },
    });
    const wanted = Array.from({ length: 30 }, (_, index) =>
      requestOf(`t${index}`, { kind: 'cron', recurrence }, 'x', { catchUp: 'none' }),
    );
    await scheduler.sync('demo', wanted);
    await scheduler.close();
    world.clock.suspend(DAY + 30 * SECOND);
    scheduler = world.start({ spreadMs: 0, graceMs: 0 });
    await scheduler.sync('demo', wanted);
    reads = 0;
    await world.clock.advance(1);
    expect(world.claims.won).toHaveLength(30);
    expect(world.claims.won.every((claim) => claim.count === DAY / MINUTE)).toBe(true);
    expect(reads).toBeLessThan(30 * (DAY / MINUTE));
  });
});

describe('slots that passed while the machine slept', () => {
  it('are treated alike, with that reason', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *')]);
    await world.clock.advance(5 * MINUTE);
    world.clock.suspend(33 * MINUTE);
    await world.clock.advance(MINUTE + 30 * SECOND);
    expect(world.log).toEqual(['a 00:30:00*']);
    expect(decided()[0]).toBe(
      'missed 00:10:00-00:20:00 2: The machine was asleep or its clock was set forward.',
    );
    expect(world.logger.lines.filter((line) => line.level === 'warn')).toHaveLength(1);
  });

  it('are superseded by a regular slot, which is on time', async () => {
    const wanted = Array.from({ length: 20 }, (_, index) => cron(`t${index}`, '*/2 * * * *'));
    await scheduler.sync('demo', wanted);
    await world.clock.advance(MINUTE);
    world.clock.suspend(6 * MINUTE + 25 * SECOND);
    await world.clock.advance(35 * SECOND);
    const regular = world.fires.filter((fire) => fire.scheduledFor === START + 8 * MINUTE);
    expect(regular).toHaveLength(20);
    expect(regular.every((fire) => fire.lateMs === 0 && !fire.catchUp)).toBe(true);
  });

  it('run at once and are flagged if the newest is within the grace, unless catch-up is disabled', async () => {
    const off = cron('b', '*/10 * * * *', { catchUp: 'none' });
    await scheduler.sync('demo', [cron('a', '*/10 * * * *'), off]);
    await world.clock.advance(9 * MINUTE + 45 * SECOND);
    world.clock.suspend(30 * SECOND);
    await world.clock.advance(30 * SECOND);
    expect(world.log).toEqual(['a 00:10:00*']);
  });

  it('are not flagged if they are only slightly late', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *')]);
    await world.clock.advance(9 * MINUTE + 59 * SECOND);
    world.clock.suspend(2 * SECOND);
    await world.clock.advance(SECOND);
    expect(world.log).toEqual(['a 00:10:00']);
    expect(world.fires[0]?.lateMs).toBe(2 * SECOND);
  });
});

describe('slots that passed while firing was paused', () => {
  it('are not claimed meanwhile and are caught up afterwards', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *')]);
    scheduler.pauseAll(true);
    await world.clock.advance(35 * MINUTE);
    expect(world.claims.won).toEqual([]);
    expect(scheduler.state(keyOf('a'))).toMatchObject({
      armed: true,
      nextFire: at('2026-01-05T00:40:00.000Z'),
    });
    scheduler.pauseAll(false);
    await world.clock.advance(30 * SECOND + 1);
    expect(world.log).toEqual(['a 00:30:00*']);
    expect(decided()[0]).toBe('missed 00:10:00-00:20:00 2: Firing was paused at that time.');
    await world.clock.advance(5 * MINUTE);
    expect(world.log).toEqual(['a 00:30:00*', 'a 00:40:00']);
  });

  it('cause no wake-up more often than every 30 s', async () => {
    await scheduler.sync('demo', [cron('a', '* * * * *')]);
    scheduler.pauseAll(true);
    await world.clock.advance(HOUR);
    expect(world.clock.pending).toBe(1);
    expect(world.claims.batches).toEqual([]);
  });
});

async function until(done: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000 && !done(); turn += 1) await world.clock.settle();
}
