import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scheduler } from '@svc/scheduler';
import {
  at,
  createWorld,
  cron,
  every,
  HOUR,
  keyOf,
  MINUTE,
  SECOND,
  type World,
} from './harness.ts';

const START = at('2026-01-05T12:00:00.000Z');

let world: World;
let scheduler: Scheduler;

beforeEach(() => {
  world = createWorld('2026-01-05T12:00:00.000Z');
  scheduler = world.start();
});

afterEach(async () => {
  await scheduler.close();
  expect(world.clock.pending).toBe(0);
});

describe('a clock that is set forward', () => {
  it('counts as downtime', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *')]);
    await world.clock.advance(5 * MINUTE);
    world.clock.step(START + 38 * MINUTE);
    await world.clock.advance(MINUTE);
    expect(world.log).toEqual(['a 12:30:00*']);
    expect(world.claims.won[0]).toMatchObject({ as: 'missed', count: 2 });
  });

  it('delays a future slot by at most 30 s', async () => {
    await scheduler.sync('demo', [cron('a', '0 13 * * *')]);
    await world.clock.advance(45 * SECOND);
    world.clock.step(START + 59 * MINUTE + 50 * SECOND);
    await world.clock.advance(30 * SECOND);
    expect(world.log).toHaveLength(1);
    expect(world.fires[0]?.lateMs).toBeLessThanOrEqual(30 * SECOND);
  });
});

describe('a clock that is set back', () => {
  it.each([
    ['20 min', 20 * MINUTE],
    ['nearly 3 h', 3 * HOUR - MINUTE],
    ['a day', 24 * HOUR],
  ])('by %s repeats no slot that ran', async (_, back) => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *')]);
    await world.clock.advance(30 * MINUTE + SECOND);
    expect(world.fires).toHaveLength(3);
    world.clock.step(world.clock.now() - back);
    await world.clock.advance(back - 2 * SECOND);
    expect(world.fires.filter(({ scheduledFor }) => scheduledFor > START)).toHaveLength(3);
    await world.clock.advance(10 * MINUTE + 2 * SECOND);
    expect(world.log.at(-1)).toBe('a 12:40:00');
    expect(world.claims.lost).toEqual([]);
    expect(world.claims.armCalls).toHaveLength(1);
  });

  it('continues from now, and reports that', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *'), cron('b', '0 13 * * *')]);
    await world.clock.advance(15 * MINUTE);
    world.clock.step(START - 5 * HOUR);
    await world.clock.advance(MINUTE);
    expect(scheduler.state(keyOf('a'))).toMatchObject({
      armed: true,
      nextFire: START - 5 * HOUR + 10 * MINUTE,
      clock: { aheadUntil: START + 10 * MINUTE, silentUntil: null, canResume: false },
    });
    expect(world.claims.takenBack).toMatchObject([
      { key: keyOf('a'), cuts: [], decidedUntil: START + 10 * MINUTE },
      { key: keyOf('b'), cuts: [], reason: null },
    ]);
    expect(world.claims.armings.get('demo/trigger/a')?.cursor).toBeLessThan(START - 4 * HOUR);
    await world.clock.advance(10 * MINUTE);
    expect(world.log).toEqual(['a 12:10:00', 'a 07:10:00']);
    expect(scheduler.state(keyOf('b'))?.nextFire).toBe(START + HOUR);
    expect(world.logger.lines.map((line) => line.message)).toContain(
      'clock set back; decisions about future slots withdrawn',
    );
  });

  it('is handled as soon as a failing store works', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *')]);
    await world.clock.advance(15 * MINUTE);
    world.claims.fault.load = new Error('disk full');
    world.clock.step(START - 5 * HOUR);
    await world.clock.advance(2 * MINUTE);
    expect(scheduler.state(keyOf('a'))?.nextFire).toBe(START + 20 * MINUTE);
    world.claims.fault = {};
    await world.clock.advance(MINUTE);
    expect(scheduler.state(keyOf('a'))?.nextFire).toBe(START - 5 * HOUR + 10 * MINUTE);
  });

  it('still has the reason of missed slots while claims fail', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *'), cron('b', '*/10 * * * *')]);
    world.claims.fault.claim = new Error('disk full');
    await world.clock.advance(19 * MINUTE);
    world.clock.step(START + MINUTE);
    await scheduler.sync('demo', [cron('c', '*/5 * * * *', { catchUp: 'none' })]);
    await world.clock.advance(7 * MINUTE);
    world.claims.fault = {};
    await world.clock.advance(2 * MINUTE);
    expect(world.claims.won[0]).toMatchObject({
      as: 'missed',
      from: START + 5 * MINUTE,
      reason: 'The service could not record it at that time.',
    });
  });

  it('before a late slot makes it a regular slot again', async () => {
    await scheduler.sync('demo', [cron('a', '0 13 * * *')]);
    await scheduler.close();
    world.clock.suspend(90 * MINUTE);
    scheduler = world.start();
    await scheduler.sync('demo', [cron('a', '0 13 * * *')]);
    world.clock.step(START + 59 * MINUTE);
    await world.clock.advance(MINUTE);
    expect(world.log).toEqual(['a 13:00:00']);
  });

  // Each of twenty waits for its own point of the spread when the clock is set.
  const twenty = (catchUp: 'latest' | 'none') =>
    Array.from({ length: 20 }, (_, index) => cron(`t${index}`, '0 13 * * *', { catchUp }));
  const missTheSlot = async (catchUp: 'latest' | 'none', lateMs: number) => {
    await scheduler.sync('demo', twenty(catchUp));
    await scheduler.close();
    world.clock.suspend(START + HOUR + lateMs - world.clock.now());
    scheduler = world.start();
    await scheduler.sync('demo', twenty(catchUp));
  };

  it('just before a late slot makes it a regular slot again, with and without catch-up', async () => {
    await missTheSlot('none', 20 * SECOND);
    world.clock.step(START + HOUR - 3 * SECOND);
    await world.clock.advance(40 * SECOND);
    expect(world.log).toEqual(twenty('none').map(({ key }) => `${key.name} 13:00:00`));
    expect(world.claims.won.every(({ as }) => as === 'run')).toBe(true);
  });

  // After a slot of the next day has run, a decision later than the clock exists.
  const runAhead = async (catchUp: 'latest' | 'none') => {
    await scheduler.sync('demo', twenty(catchUp));
    world.clock.step(START + 25 * HOUR - 40 * SECOND);
    await world.clock.advance(45 * SECOND);
    world.clock.step(START);
    await world.clock.advance(31 * SECOND);
    expect(world.fires).toHaveLength(20);
    world.fires.length = 0;
    world.claims.won.length = 0;
  };

  for (const ahead of [false, true]) {
    const where = ahead ? ', with slots to come that ran' : '';

    // proves: firing.clock.back
    it(`not as far as a slot of the downtime still catches up that slot${where}`, async () => {
      if (ahead) await runAhead('latest');
      await missTheSlot('latest', 3 * MINUTE);
      world.clock.step(world.clock.now() - 2 * MINUTE - 30 * SECOND);
      await scheduler.sync('demo', twenty('latest'));
      await world.clock.advance(MINUTE);
      expect(world.fires).toHaveLength(20);
      expect(world.fires.every((fire) => fire.catchUp)).toBe(true);
    });

    it(`not as far as such a slot does not run it without catch-up${where}`, async () => {
      if (ahead) await runAhead('none');
      await missTheSlot('none', 3 * MINUTE);
      world.clock.step(world.clock.now() - 2 * MINUTE - 30 * SECOND);
      await scheduler.sync('demo', twenty('none'));
      await world.clock.advance(MINUTE);
      expect(world.fires).toEqual([]);
      const reasons = new Set(world.claims.won.map(({ reason }) => reason));
      expect([...reasons]).toEqual(['The service was not running at that time.']);
    });
  }

  it('does not delay a catch-up', async () => {
    const wanted = Array.from({ length: 20 }, (_, index) => cron(`t${index}`, '0 9 * * *'));
    await scheduler.close();
    world.clock.step(at('2026-01-05T08:00:00.000Z'));
    scheduler = world.start();
    await scheduler.sync('demo', wanted);
    await scheduler.close();
    world.clock.step(at('2026-01-05T09:50:00.000Z'));
    scheduler = world.start();
    await scheduler.sync('demo', wanted);
    world.clock.step(at('2026-01-05T09:20:00.000Z'));
    await world.clock.advance(65 * SECOND);
    expect(world.fires).toHaveLength(20);
    expect(world.fires.every((fire) => fire.catchUp)).toBe(true);
  });
});

describe('a stored cursor in the future', () => {
  const stored = (cursor: number) => {
    world.claims.armings.set('demo/trigger/a', {
      scheduleHash: '1h',
      anchor: cursor - 10 * MINUTE,
      armedSince: cursor - 10 * MINUTE,
      cursor,
    });
  };

  it('is moved back to now, and logged', async () => {
    stored(START + 3 * HOUR + 1);
    await scheduler.sync('demo', [every('a', '1h')]);
    expect(world.claims.armings.get('demo/trigger/a')).toMatchObject({
      armedSince: START,
      cursor: START,
      anchor: START + 3 * HOUR + 1 - 10 * MINUTE,
    });
    expect(scheduler.state(keyOf('a'))).toEqual({
      armed: true,
      nextFire: START + 50 * MINUTE + 1,
      error: null,
      clock: null,
    });
    expect(world.logger.lines.map((line) => line.level)).toEqual(['warn']);
  });
});
