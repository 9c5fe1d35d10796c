import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CronRecurrence } from '@svc/recurrence';
import { createScheduler, type Fire, type MissedSlots, type Scheduler } from '@svc/scheduler';
import {
  at,
  createWorld,
  cron,
  cronOf,
  every,
  HOUR,
  keyOf,
  MINUTE,
  requestOf,
  SECOND,
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
});

describe('claims that fail', () => {
  it('lose nothing: the slot runs as soon as the store works', async () => {
    await scheduler.sync('demo', [cron('a', '0 * * * *')]);
    await world.clock.advance(HOUR - SECOND);
    world.claims.fault.claim = new Error('disk full');
    await world.clock.advance(11 * SECOND);
    expect(world.fires).toEqual([]);
    expect(scheduler.state(keyOf('a'))).toMatchObject({
      armed: true,
      nextFire: START + 2 * HOUR,
      error: 'Its slot could not be claimed yet: disk full',
    });
    world.claims.fault = {};
    await world.clock.advance(10 * SECOND);
    expect(world.fires.map((fire) => fire.scheduledFor)).toEqual([START + HOUR]);
    expect(scheduler.state(keyOf('a'))?.error).toBeNull();
  });

  it('are retried after 1 s, doubling to 60 s, and logged once', async () => {
    await scheduler.sync('demo', [cron('a', '0 * * * *', { catchUpWindowMs: 12 * HOUR })]);
    await world.clock.advance(HOUR - 1);
    world.claims.fault.claim = new Error('disk full');
    const tried = async (ms: number) => {
      const before = world.claims.batches.length;
      await world.clock.advance(ms);
      return world.claims.batches.length - before;
    };
    expect(await tried(1)).toBe(1);
    expect(await tried(SECOND)).toBe(1);
    expect(await tried(2 * SECOND - 1)).toBe(0);
    expect(await tried(1)).toBe(1);
    expect(await tried(4 * SECOND + 8 * SECOND + 16 * SECOND)).toBe(3);
    expect(await tried(30 * MINUTE)).toBeLessThanOrEqual(31);
    expect(await tried(30 * MINUTE)).toBeGreaterThanOrEqual(15);
    const errors = () => world.logger.lines.filter((line) => line.level === 'error');
    expect(errors()).toHaveLength(1);
    world.claims.fault = {};
    await world.clock.advance(3 * MINUTE);
    expect(world.fires.map((fire) => [fire.scheduledFor, fire.catchUp])).toEqual([
      [START + 2 * HOUR, true],
    ]);
    expect(world.claims.won[0]).toMatchObject({
      as: 'missed',
      from: START + HOUR,
      count: 1,
      reason: 'The service could not record it at that time.',
    });
    world.claims.fault.claim = new Error('disk full');
    await world.clock.advance(HOUR);
    expect(errors()).toHaveLength(2);
  });

  it('are retried at once if their cause is gone', async () => {
    await scheduler.sync('demo', [cron('a', '0 * * * *')]);
    await world.clock.advance(HOUR - 1);
    world.claims.fault.claim = new Error('away');
    await world.clock.advance(10 * MINUTE);
    world.claims.fault = {};
    scheduler.retry();
    await world.clock.advance(1);
    expect(world.claims.won).toEqual([]);
    await world.clock.advance(30 * SECOND);
    expect(world.fires.map((fire) => fire.scheduledFor)).toEqual([START + HOUR]);
  });

  it('count as failed if verdicts are missing', async () => {
    const { claim } = world.claims;
    world.claims.claim = async () => [];
    await scheduler.sync('demo', [cron('a', '* * * * *')]);
    await world.clock.advance(MINUTE);
    expect(scheduler.state(keyOf('a'))?.error).toContain('must answer every claim once');
    world.claims.claim = claim;
    await world.clock.advance(SECOND);
    expect(world.log).toEqual(['a 00:01:00']);
  });

  it('start nothing twice if they were stored nevertheless', async () => {
    await scheduler.sync('demo', [cron('a', '* * * * *')]);
    await world.clock.advance(30 * SECOND);
    world.claims.losesAnswers = true;
    await world.clock.advance(31 * SECOND);
    world.claims.losesAnswers = false;
    await world.clock.advance(MINUTE);
    expect(world.claims.won.map((claim) => claim.from)).toEqual([
      START + MINUTE,
      START + 2 * MINUTE,
    ]);
    expect(world.log).toEqual(['a 00:02:00']);
  });

  it('leave no gap if another process decided a part of several slots', async () => {
    const wanted = [cron('a', '*/10 * * * *', { catchUpWindowMs: 0 })];
    await scheduler.sync('demo', wanted);
    scheduler.pauseAll(true);
    await world.clock.advance(65 * MINUTE);
    const stored = world.claims.armings.get('demo/trigger/a');
    if (stored === undefined) throw new Error('not armed');
    world.claims.armings.set('demo/trigger/a', { ...stored, cursor: START + 30 * MINUTE });
    scheduler.pauseAll(false);
    await world.clock.advance(2 * MINUTE);
    expect(world.claims.lost).toMatchObject([{ from: START + 10 * MINUTE, until: START + HOUR }]);
    expect(world.claims.won).toMatchObject([
      { from: START + 40 * MINUTE, until: START + HOUR, count: 3 },
    ]);
  });

  // proves: nodes.edited-schedule
  it('start nothing of a schedule that another process has replaced, and continue with what is armed again', async () => {
    const wanted = [cron('a', '* * * * *'), cron('b', '* * * * *', { catchUpWindowMs: 0 })];
    await scheduler.sync('demo', wanted);
    const { armings } = world.claims;
    const own = new Map(armings);
    for (const [id, cursor] of own) armings.set(id, { ...cursor, scheduleHash: 'other' });
    await world.clock.advance(2 * MINUTE);
    scheduler.pauseAll(true);
    await world.clock.advance(HOUR);
    scheduler.pauseAll(false);
    await world.clock.advance(2 * MINUTE);
    expect([world.log, world.claims.won]).toEqual([[], []]);
    // Many passed slots are given up at once, not one by one.
    expect(world.claims.lost.length).toBeLessThan(16);
    for (const [id, cursor] of own) armings.set(id, { ...cursor, cursor: world.clock.now() });
    await world.clock.advance(MINUTE);
    expect(world.log).toEqual(['a 01:05:00', 'b 01:05:00']);
  });

  it('continue at once, with the true reason, if another process decided a part', async () => {
    const wanted = [cron('a', '*/10 * * * *', { catchUp: 'none' })];
    await scheduler.sync('demo', wanted);
    await scheduler.close();
    world.clock.suspend(65 * MINUTE);
    scheduler = world.start({ spreadMs: 0 });
    const { loadProject } = world.claims;
    world.claims.loadProject = async (project) => {
      const stored = await loadProject(project);
      for (const [id, cursor] of stored) {
        world.claims.armings.set(id, { ...cursor, cursor: START + 30 * MINUTE });
      }
      return stored;
    };
    await scheduler.sync('demo', wanted);
    await world.clock.advance(1);
    expect(world.claims.lost).toHaveLength(1);
    expect(world.claims.won).toMatchObject([
      { from: START + 40 * MINUTE, count: 3, reason: 'The service was not running at that time.' },
    ]);
  });

  it('leave no gap if another process decided the older slots but not the newest', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *')]);
    scheduler.pauseAll(true);
    await world.clock.advance(25 * MINUTE);
    const stored = world.claims.armings.get('demo/trigger/a');
    if (stored === undefined) throw new Error('not armed');
    world.claims.armings.set('demo/trigger/a', { ...stored, cursor: START + 10 * MINUTE });
    scheduler.pauseAll(false);
    await world.clock.advance(2 * MINUTE);
    expect(world.claims.won.map((claim) => claim.from)).toEqual([START + 20 * MINUTE]);
    expect(world.log).toEqual(['a 00:20:00*']);
  });

  it('disarm a trigger whose arming is gone from the store, until the next change', async () => {
    const wanted = [cron('a', '*/10 * * * *')];
    await scheduler.sync('demo', wanted);
    scheduler.pauseAll(true);
    await world.clock.advance(45 * MINUTE);
    world.claims.armings.clear();
    scheduler.pauseAll(false);
    await world.clock.advance(2 * MINUTE);
    expect(scheduler.state(keyOf('a'))).toMatchObject({ armed: false, nextFire: null });
    expect(scheduler.state(keyOf('a'))?.error).toContain('removed from the store');
    await scheduler.sync('demo', wanted);
    expect(scheduler.state(keyOf('a'))).toMatchObject({ armed: true, error: null });
    await world.clock.advance(10 * MINUTE);
    expect(world.log).toEqual(['a 00:50:00']);
  });

  it('wait if the store does not know how much another process decided', async () => {
    await scheduler.sync('demo', [cron('a', '*/10 * * * *', { catchUpWindowMs: 0 })]);
    scheduler.pauseAll(true);
    await world.clock.advance(45 * MINUTE);
    const stored = world.claims.armings.get('demo/trigger/a');
    if (stored === undefined) throw new Error('not armed');
    world.claims.armings.set('demo/trigger/a', { ...stored, cursor: START + 20 * MINUTE });
    world.claims.fault.load = new Error('disk full');
    scheduler.pauseAll(false);
    await world.clock.advance(MINUTE);
    expect(scheduler.state(keyOf('a'))?.error).toContain('disk full');
    world.claims.fault = {};
    await world.clock.advance(3 * MINUTE);
    expect(world.claims.won).toMatchObject([{ from: START + 30 * MINUTE, count: 2 }]);
  });
});

describe('a next slot that cannot be computed', () => {
  /** A recurrence whose zone can be made unknown. */
  function fragile(): { recurrence: CronRecurrence; broken: boolean } {
    const state = {
      broken: false,
      recurrence: new Proxy(cronOf('*/10 * * * *'), {
        get: (target, field) =>
          field === 'timezone' && state.broken ? 'Nowhere/Atall' : Reflect.get(target, field),
      }),
    };
    return state;
  }

  it('disarms that trigger only, with the reason, and still runs the due slot', async () => {
    const zone = fragile();
    await scheduler.sync('demo', [
      requestOf('bad', { kind: 'cron', recurrence: zone.recurrence }, 'x'),
      every('good', '10m'),
    ]);
    zone.broken = true;
    await world.clock.advance(10 * MINUTE);
    expect(world.log).toEqual(['bad 00:10:00', 'good 00:10:00']);
    expect(scheduler.state(keyOf('bad'))).toEqual({
      armed: false,
      nextFire: null,
      error: expect.stringContaining('Its next slot could not be computed'),
      clock: null,
    });
    expect(scheduler.state(keyOf('good'))?.armed).toBe(true);
    expect(scheduler.size).toBe(1);
  });

  it('is retried after 1 min, doubling to 1 h, and no slot is lost in between', async () => {
    const zone = fragile();
    await scheduler.sync('demo', [
      requestOf('bad', { kind: 'cron', recurrence: zone.recurrence }, 'x'),
    ]);
    zone.broken = true;
    await world.clock.advance(10 * MINUTE + 30 * MINUTE);
    expect(scheduler.state(keyOf('bad'))?.armed).toBe(false);
    zone.broken = false;
    await world.clock.advance(2 * HOUR);
    expect(scheduler.state(keyOf('bad'))).toMatchObject({ armed: true, error: null });
    let last = START;
    for (const claim of world.claims.won) {
      expect(claim.from).toBe(last + 10 * MINUTE);
      expect(claim.until).toBe(claim.from + (claim.count - 1) * 10 * MINUTE);
      last = claim.until;
    }
    expect(last).toBe(START + 160 * MINUTE);
    expect(world.logger.lines.filter((line) => line.level === 'error')).toHaveLength(1);
  });

  it('at arming leaves the trigger stored, shown and retried', async () => {
    const zone = fragile();
    zone.broken = true;
    const request = requestOf('bad', { kind: 'cron', recurrence: zone.recurrence }, 'x');
    const report = await scheduler.sync('demo', [request]);
    expect(report).toMatchObject({ armed: 0, failed: [{ key: keyOf('bad') }] });
    zone.broken = false;
    await world.clock.advance(11 * MINUTE);
    expect(world.log).toEqual(['bad 00:10:00']);
  });

  it('while slots are counted decides nothing', async () => {
    const zone = fragile();
    const request = requestOf('bad', { kind: 'cron', recurrence: zone.recurrence }, 'x');
    await scheduler.sync('demo', [request]);
    scheduler.pauseAll(true);
    await world.clock.advance(65 * MINUTE);
    let reads = 0;
    zone.broken = false;
    const inner = zone.recurrence;
    const flaky = new Proxy(inner, {
      get(target, field) {
        if (field === 'timezone') reads += 1;
        return field === 'timezone' && reads > 3 && reads < 6
          ? 'Nowhere/Atall'
          : Reflect.get(target, field);
      },
    });
    await scheduler.sync('demo', [{ ...request, schedule: { kind: 'cron', recurrence: flaky } }]);
    scheduler.pauseAll(false);
    await world.clock.advance(10 * MINUTE);
    const covered = world.claims.won.reduce((sum, claim) => sum + claim.count, 0);
    expect(covered).toBe(7);
    expect(world.claims.won[0]?.from).toBe(START + 10 * MINUTE);
    expect(world.claims.lost).toEqual([]);
  });
});

describe('reporting missed slots', () => {
  it('happens once for each record, and blocks nothing if it fails', async () => {
    const reported: MissedSlots[] = [];
    const { clock, logger, claims } = world;
    const onMissed = (missed: readonly MissedSlots[]): void => {
      reported.push(...missed);
      throw new Error('the listener fails');
    };
    const onFire = (won: readonly Fire[]): void => void world.fires.push(...won);
    await scheduler.close();
    scheduler = createScheduler({ clock, logger, claims, onFire, onMissed });
    await scheduler.sync('demo', [cron('a', '0 * * * *', { catchUp: 'none' })]);
    clock.suspend(3 * HOUR + MINUTE);
    await clock.advance(2 * MINUTE);
    expect(reported).toMatchObject([
      { key: keyOf('a'), from: START + HOUR, until: START + 3 * HOUR, count: 3 },
    ]);
    await clock.advance(HOUR);
    expect(world.fires.map((fire) => fire.scheduledFor)).toEqual([START + 4 * HOUR]);
    expect(logger.lines.map((line) => line.message)).toContain('cannot report missed slots');
  });
});
