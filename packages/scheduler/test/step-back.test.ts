import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scheduler } from '@svc/scheduler';
import {
  at,
  createWorld,
  cron,
  earlyTimers,
  every,
  HOUR,
  keyOf,
  MINUTE,
  SECOND,
  type World,
} from './harness.ts';

const START = at('2026-01-05T12:00:00.000Z');
const ROWS = 'demo/trigger/a';

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

async function ahead(ms: number, forMs: number): Promise<void> {
  world.clock.step(world.clock.now() + ms);
  await world.clock.advance(forMs);
  world.clock.step(world.clock.now() - ms);
}

function covered(): number[] {
  return (world.claims.rows.get(ROWS) ?? []).flatMap(({ from, until, count }) =>
    Array.from({ length: count }, (_, n) => from + (n * (until - from)) / Math.max(count - 1, 1)),
  );
}

describe('a clock that is an hour ahead for five seconds', () => {
  // proves: firing.clock.back
  it('runs no slot twice and skips none of the hour', async () => {
    await scheduler.sync('demo', [every('a', '1s')]);
    await world.clock.advance(10 * SECOND);
    await ahead(HOUR, 5 * SECOND);
    await world.clock.advance(HOUR + MINUTE);
    const slots = world.fires.map(({ scheduledFor }) => scheduledFor);
    expect(new Set(slots).size).toBe(slots.length);
    const all = covered();
    expect(new Set(all).size).toBe(all.length);
    const seconds = (world.clock.now() - START) / SECOND;
    expect(all).toHaveLength(Math.floor(seconds));
    // Only the time until the step back is noticed is missed.
    expect(slots.length).toBeGreaterThan(all.length - 40);
  });

  it('withdraws missed records of the hour, and reports which slots ran', async () => {
    await scheduler.sync('demo', [every('a', '1m')]);
    await world.clock.advance(90 * SECOND);
    await ahead(HOUR, 35 * SECOND);
    await world.clock.advance(31 * SECOND);
    const ran = START + HOUR + 2 * MINUTE;
    expect(world.claims.takenBack).toMatchObject([
      {
        decidedUntil: ran,
        cuts: [{ kept: { until: START + 2 * MINUTE, count: 1 } }],
        reason:
          'The clock was set back to 2026-01-05T12:02:30.000Z, and slots up to 2026-01-05T13:02:00.000Z had been decided. Those that did not run are withdrawn and occur again: 59. Those that ran do not run again.',
      },
    ]);
    expect(scheduler.state(keyOf('a'))).toMatchObject({
      nextFire: START + 3 * MINUTE,
      clock: { aheadUntil: ran, silentUntil: null },
    });
    await world.clock.advance(59 * MINUTE);
    expect(scheduler.state(keyOf('a'))).toMatchObject({
      nextFire: ran + MINUTE,
      clock: { aheadUntil: ran, silentUntil: ran + MINUTE, canResume: true },
    });
    await world.clock.advance(2 * MINUTE);
    expect(scheduler.state(keyOf('a'))?.clock).toBeNull();
    expect(world.claims.lost).toEqual([]);
  });

  it('withdraws them at the next start, if the clock was set back during downtime', async () => {
    await scheduler.sync('demo', [every('a', '1m')]);
    await world.clock.advance(90 * SECOND);
    world.clock.step(world.clock.now() + HOUR);
    await world.clock.advance(35 * SECOND);
    await scheduler.close();
    world.clock.step(START + 3 * MINUTE + SECOND);
    scheduler = world.start();
    await scheduler.sync('demo', [every('a', '1m')]);
    await world.clock.advance(61 * MINUTE);
    const all = covered();
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(64);
    expect(world.claims.lost).toEqual([]);
  });

  it('decides slots before and after one that ran, if it sleeps through it', async () => {
    await scheduler.sync('demo', [every('a', '1m', { catchUp: 'none' })]);
    await world.clock.advance(90 * SECOND);
    await ahead(HOUR, 35 * SECOND);
    await world.clock.advance(31 * SECOND);
    world.clock.suspend(2 * HOUR);
    await world.clock.advance(2 * MINUTE);
    const all = covered();
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(Math.floor((world.clock.now() - START) / MINUTE));
    expect(world.claims.rows.get(ROWS)?.filter(({ count }) => count > 1)).toHaveLength(2);
  });
});

describe('a slot that becomes due during the withdrawal', () => {
  // proves: firing.clock.back
  it('occurs again', async () => {
    const wish = [every('a', '1m', { catchUp: 'none' })];
    await scheduler.sync('demo', wish);
    await world.clock.advance(90 * SECOND);
    world.clock.step(world.clock.now() + HOUR);
    await world.clock.advance(35 * SECOND);
    await scheduler.close();
    world.clock.step(START + 10 * MINUTE - 5);
    const { takeBack } = world.claims;
    world.claims.takeBack = async (batch) => {
      await takeBack(batch);
      world.clock.step(START + 10 * MINUTE + 5);
    };
    scheduler = world.start();
    await scheduler.sync('demo', wish);
    await world.clock.advance(2 * MINUTE);
    expect(covered()).toContain(START + 10 * MINUTE);
  });
});

describe('a slot that waited to run while the clock was set back', () => {
  // proves: firing.clock.back
  it('keeps its row if it was too late in the end', async () => {
    await scheduler.sync('demo', [every('a', '1m', { catchUp: 'none' })]);
    await world.clock.advance(90 * SECOND);
    world.clock.step(world.clock.now() + HOUR);
    await world.clock.advance(35 * SECOND);
    world.clock.step(world.clock.now() - HOUR);
    await world.clock.advance(31 * SECOND);
    await scheduler.close();
    const rows = world.claims.rows.get(ROWS) ?? [];
    const waited = rows.findIndex(({ from }) => from === START + HOUR + 2 * MINUTE);
    rows[waited] = { ...(rows[waited] as (typeof rows)[number]), ran: false };
    world.clock.step(START + 2 * HOUR);
    scheduler = world.start();
    await scheduler.sync('demo', [every('a', '1m', { catchUp: 'none' })]);
    await world.clock.advance(5 * MINUTE);
    const all = covered();
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(Math.floor((world.clock.now() - START) / MINUTE));
    expect(world.claims.lost).toEqual([]);
  });
});

describe('a clock that is set back over slots that ran', () => {
  beforeEach(async () => {
    await scheduler.sync('demo', [every('a', '1m'), cron('b', '* * * * *')]);
    await world.clock.advance(20 * MINUTE + SECOND);
    world.clock.step(START + SECOND);
    await world.clock.advance(31 * SECOND);
  });

  // proves: firing.clock.silent
  it('keeps triggers silent until the first slot that has not run, and reports until when', async () => {
    const clock = { aheadUntil: START + 20 * MINUTE, silentUntil: START + 21 * MINUTE };
    for (const [name, canResume] of [['a', true] as const, ['b', false] as const]) {
      expect(scheduler.state(keyOf(name))).toMatchObject({
        nextFire: START + 21 * MINUTE,
        clock: { ...clock, canResume },
      });
    }
    await world.clock.advance(20 * MINUTE);
    expect(world.fires).toHaveLength(40);
    await world.clock.advance(MINUTE);
    expect(world.fires).toHaveLength(42);
  });

  // proves: firing.clock.go-on
  it('lets an interval continue now, on a grid without slots that have run', async () => {
    expect(await scheduler.restartGrid(keyOf('a'))).toBe(true);
    const now = world.clock.now();
    expect(scheduler.state(keyOf('a'))).toMatchObject({ nextFire: now + MINUTE, clock: null });
    await world.clock.advance(5 * MINUTE);
    expect(world.log.slice(40)).toEqual([1, 2, 3, 4, 5].map((n) => `a 12:0${n}:32`));
    await scheduler.close();
    scheduler = world.start();
    await scheduler.sync('demo', [every('a', '1m'), cron('b', '* * * * *')]);
    expect(scheduler.state(keyOf('a'))?.nextFire).toBe(now + 6 * MINUTE);
  });

  it('has nothing to continue if every slot has run, or nothing is silent', async () => {
    expect(await scheduler.restartGrid(keyOf('b'))).toBe(false);
    expect(await scheduler.restartGrid(keyOf('missing'))).toBe(false);
    await world.clock.advance(25 * MINUTE);
    expect(await scheduler.restartGrid(keyOf('a'))).toBe(false);
  });
});

describe('a trigger that waits for longer than a timer can', () => {
  // proves: firing.clock.long-sleep
  it('fires once, at its instant, with timers that are limited and early', async () => {
    const early = earlyTimers(world.clock);
    const asked: number[] = [];
    const noting: typeof early = {
      ...early,
      setTimeout: (callback, ms) => {
        asked.push(ms);
        return early.setTimeout(callback, ms);
      },
    };
    const patient = world.start({}, noting);
    await patient.sync('demo', [cron('a', '0 0 1 4 *'), every('b', '30d')]);
    const due = at('2026-02-04T12:00:00.000Z');
    expect(due - START).toBeGreaterThan(2 ** 31);
    for (let day = 0; day < 29; day += 1) {
      await world.clock.advance(HOUR);
      world.clock.suspend(23 * HOUR);
    }
    await world.clock.advance(due - world.clock.now() - 1);
    expect(world.fires).toEqual([]);
    await world.clock.advance(MINUTE);
    expect(world.fires).toMatchObject([{ scheduledFor: due, catchUp: false }]);
    expect(Math.max(...asked)).toBeLessThan(2 ** 31);
    await patient.close();
  });
});
