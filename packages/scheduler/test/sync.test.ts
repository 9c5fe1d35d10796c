import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scheduler } from '@svc/scheduler';
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

describe('arming', () => {
  it('stores the instant of arming as anchor and cursor before the trigger counts', async () => {
    let armed: number | null = null;
    const arm = world.claims.arm;
    world.claims.arm = async (batch) => {
      armed = scheduler.size;
      await arm(batch);
    };
    const report = await scheduler.sync('demo', [every('a', '30m')]);
    expect(armed).toBe(0);
    expect(scheduler.size).toBe(1);
    expect(report).toEqual({ armed: 1, rearmed: 0, disarmed: 0, unchanged: 0, failed: [] });
    expect(world.claims.armings.get('demo/trigger/a')).toEqual({
      scheduleHash: '30m',
      anchor: START,
      armedSince: START,
      cursor: START,
    });
    expect(world.claims.definitions.get('demo/trigger/a')).toBe('definition of a');
  });

  it('shows the next fire of a trigger', async () => {
    await scheduler.sync('demo', [cron('a', '0 9 * * *'), every('b', '45m')]);
    const shown = { armed: true, error: null, clock: null };
    expect(scheduler.state(keyOf('a'))).toEqual({ ...shown, nextFire: START + 9 * HOUR });
    expect(scheduler.state(keyOf('b'))).toEqual({ ...shown, nextFire: START + 45 * MINUTE });
    expect(scheduler.state(keyOf('missing'))).toBeNull();
  });

  // proves: schedules.coexist
  it('distinguishes a trigger and a legacy schedule of the same name', async () => {
    const trigger = cron('same', '0 * * * *');
    const schedule = { ...cron('same', '30 * * * *'), key: { ...trigger.key, source: 'schedule' } };
    await scheduler.sync('demo', [trigger, schedule as typeof trigger]);
    await world.clock.advance(HOUR);
    expect(world.fires.map((fire) => fire.key.source)).toEqual(['schedule', 'trigger']);
    await scheduler.sync('demo', [trigger]);
    expect(scheduler.size).toBe(1);
    expect([...world.claims.armings.keys()]).toEqual(['demo/trigger/same']);
  });

  it('never fires because a trigger was enabled or edited', async () => {
    await scheduler.sync('demo', [every('a', '10m')]);
    await world.clock.advance(9 * MINUTE);
    for (const text of ['11m', '12m', '13m']) {
      await scheduler.sync('demo', [every('a', text)]);
      await world.clock.advance(9 * MINUTE);
    }
    expect(world.fires).toEqual([]);
  });

  it('arms again only what changed', async () => {
    const before = [cron('a', '0 * * * *'), cron('b', '5 * * * *'), cron('c', '10 * * * *')];
    await scheduler.sync('demo', before);
    await world.clock.advance(MINUTE);
    const calls = world.claims.armCalls.length;
    const report = await scheduler.sync('demo', [
      cron('a', '0 * * * *'),
      cron('b', '6 * * * *'),
      cron('d', '15 * * * *'),
    ]);
    expect(report).toEqual({ armed: 1, rearmed: 1, disarmed: 1, unchanged: 1, failed: [] });
    expect(
      world.claims.armCalls
        .slice(calls)
        .flat()
        .map(({ key }) => key.name),
    ).toEqual(['b', 'd']);
    expect(world.claims.armings.get('demo/trigger/a')?.armedSince).toBe(START);
    expect(world.claims.armings.get('demo/trigger/b')?.armedSince).toBe(START + MINUTE);
    expect(world.claims.armings.has('demo/trigger/c')).toBe(false);
  });

  it('changes and stores nothing for an edit of the prompt', async () => {
    await scheduler.sync('demo', [every('a', '1h')]);
    await world.clock.advance(50 * MINUTE);
    const calls = world.claims.armCalls.length;
    const report = await scheduler.sync('demo', [every('a', '1h', { definitionHash: 'other' })]);
    expect(report.unchanged).toBe(1);
    expect(world.claims.armCalls).toHaveLength(calls);
    expect(scheduler.state(keyOf('a'))?.nextFire).toBe(START + HOUR);
  });

  it('applies a changed catch-up without moving the slot', async () => {
    await scheduler.sync('demo', [every('a', '1h')]);
    await world.clock.advance(50 * MINUTE);
    const report = await scheduler.sync('demo', [every('a', '1h', { catchUp: 'none' })]);
    expect(report).toMatchObject({ rearmed: 1, unchanged: 0 });
    expect(scheduler.state(keyOf('a'))?.nextFire).toBe(START + HOUR);
    world.clock.suspend(3 * HOUR);
    await world.clock.advance(MINUTE);
    expect(world.fires).toEqual([]);
  });

  it('keeps the grid of an interval through restarts and prompt edits', async () => {
    await scheduler.sync('demo', [every('a', '24h')]);
    for (let day = 0; day < 3; day += 1) {
      await world.clock.advance(10 * HOUR);
      await scheduler.close();
      scheduler = world.start();
      await scheduler.sync('demo', [every('a', '24h', { definitionHash: `edit ${day}` })]);
      await world.clock.advance(14 * HOUR);
    }
    expect(world.fires.map((fire) => fire.scheduledFor)).toEqual(
      [1, 2, 3].map((k) => START + k * DAY),
    );
    expect(world.fires.every((fire) => !fire.catchUp)).toBe(true);
  });

  // proves: trigger.disabled, state.enable, state.disable
  it('starts again when a trigger is disabled and enabled', async () => {
    await scheduler.sync('demo', [every('a', '1h')]);
    await world.clock.advance(30 * MINUTE);
    await scheduler.sync('demo', []);
    expect(world.claims.armings.size).toBe(0);
    await world.clock.advance(90 * MINUTE);
    await scheduler.sync('demo', [every('a', '1h')]);
    expect(scheduler.state(keyOf('a'))?.nextFire).toBe(START + 3 * HOUR);
    await world.clock.advance(HOUR);
    expect(world.fires).toHaveLength(1);
  });

  it('forgets a trigger that was disabled while the service was down', async () => {
    await scheduler.sync('demo', [every('a', '1h'), every('b', '1h')]);
    await scheduler.close();
    scheduler = world.start();
    const report = await scheduler.sync('demo', [every('a', '1h')]);
    expect(report).toMatchObject({ armed: 1, disarmed: 1 });
    expect([...world.claims.armings.keys()]).toEqual(['demo/trigger/a']);
  });

  it('does not affect other projects', async () => {
    await scheduler.sync('one', [cron('a', '0 * * * *', { project: 'one' })]);
    await scheduler.sync('two', [cron('a', '0 * * * *', { project: 'two' })]);
    await scheduler.sync('two', []);
    expect(scheduler.size).toBe(1);
    await world.clock.advance(HOUR);
    expect(world.fires.map((fire) => fire.key.project)).toEqual(['one']);
  });

  it('runs calls for one project one after the other, so that the last one wins', async () => {
    const calls = [
      scheduler.sync('demo', [cron('a', '0 * * * *')]),
      scheduler.sync('demo', [cron('b', '0 * * * *')]),
      scheduler.sync('demo', [cron('c', '0 * * * *')]),
    ];
    expect((await Promise.all(calls)).map((report) => report.disarmed)).toEqual([0, 1, 1]);
    await world.clock.advance(HOUR);
    expect(world.log).toEqual(['c 01:00:00']);
  });

  it('yields while it arms thousands', async () => {
    await scheduler.close();
    const { clock, yields } = costlyClock(world.clock, 0.1);
    scheduler = world.start({}, clock);
    await scheduler.sync(
      'demo',
      Array.from({ length: 2000 }, (_, index) => cron(`t${index}`, '0 * * * *')),
    );
    expect(yields.length).toBeGreaterThan(30);
    const gaps = yields.map((value, index) => value - (yields[index - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(6);
  });
});

describe('a request that cannot be armed', () => {
  it('is reported with a reason, and the others are armed', async () => {
    const report = await scheduler.sync('demo', [every('bad', 'soon'), every('good', '1h')]);
    expect(report.armed).toBe(1);
    expect(report.failed).toEqual([
      { key: keyOf('bad'), reason: expect.stringContaining('interval') },
    ]);
    expect(scheduler.state(keyOf('bad'))).toEqual({
      armed: false,
      nextFire: null,
      error: report.failed[0]?.reason,
      clock: null,
    });
    const repaired = await scheduler.sync('demo', [every('bad', '1h'), every('good', '1h')]);
    expect(repaired).toMatchObject({ armed: 1, unchanged: 1, failed: [] });
    expect(scheduler.state(keyOf('bad'))).toMatchObject({ armed: true, error: null });
  });

  it('is not armed if it never fires again, with that reason', async () => {
    world.clock.step(Date.parse('+275760-09-12T12:00:00.000Z'));
    await scheduler.close();
    scheduler = world.start();
    const report = await scheduler.sync('demo', [cron('late', '0 0 14 9 *')]);
    expect(report.failed).toEqual([{ key: keyOf('late'), reason: 'It never fires again.' }]);
    expect(scheduler.state(keyOf('late'))).toMatchObject({ armed: false, nextFire: null });
    expect(scheduler.size).toBe(0);
  });

  it.each([
    ['foreign_key', [cron('a', '0 * * * *', { project: 'other' })]],
    ['duplicate_key', [cron('a', '0 * * * *'), cron('a', '5 * * * *')]],
  ])('is a mistake of the caller: %s', async (code, wanted) => {
    await expect(scheduler.sync('demo', wanted)).rejects.toMatchObject({ code });
    expect(scheduler.size).toBe(0);
  });
});

describe('a store that fails while arming', () => {
  it.each(['load', 'arm', 'disarm'] as const)(
    'on %s: the call fails and can be made again',
    async (operation) => {
      await scheduler.sync('demo', [cron('old', '0 * * * *'), cron('kept', '0 * * * *')]);
      const wanted = [cron('new', '0 * * * *'), cron('kept', '0 * * * *')];
      world.claims.fault[operation] = new Error('disk full');
      await expect(scheduler.sync('demo', wanted)).rejects.toMatchObject({
        code: 'not_stored',
        message: expect.stringContaining('disk full'),
      });
      expect(scheduler.state(keyOf('kept'))?.armed).toBe(true);
      expect(scheduler.state(keyOf('new'))?.armed ?? false).toBe(false);
      world.claims.fault = {};
      await scheduler.sync('demo', wanted);
      expect([...world.claims.armings.keys()].sort()).toEqual([
        'demo/trigger/kept',
        'demo/trigger/new',
      ]);
      await world.clock.advance(HOUR);
      expect(world.fires.map((fire) => fire.key.name).sort()).toEqual(['kept', 'new']);
    },
  );

  it('shows the trigger that could not be stored', async () => {
    world.claims.fault.arm = new Error('disk full');
    await expect(scheduler.sync('demo', [cron('a', '0 * * * *')])).rejects.toThrow();
    expect(scheduler.state(keyOf('a'))).toMatchObject({
      armed: false,
      error: expect.stringContaining('disk full'),
    });
  });
});

it('arms a hundred triggers on one expression with one computation', async () => {
  let reads = 0;
  const recurrence = new Proxy(cronOf('0 * * * *'), {
    get(target, field) {
      if (field === 'hours') reads += 1;
      return Reflect.get(target, field);
    },
  });
  const one = [requestOf('t', { kind: 'cron', recurrence }, 'x')];
  await scheduler.sync('demo', one);
  const alone = reads;
  const many = Array.from({ length: 100 }, (_, index) =>
    requestOf(`t${index}`, { kind: 'cron', recurrence }, 'x'),
  );
  await scheduler.sync('demo', many);
  expect(reads).toBe(alone);
  await world.clock.advance(HOUR);
  expect(world.fires).toHaveLength(100);
  expect(reads).toBeLessThanOrEqual(2 * alone + 2);
});
