import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { createDatabaseClock } from '@svc/store';
import { T0, withStore } from './harness.ts';

function createWorld() {
  const machine = createFakeClock(T0);
  const logger = createMemoryLogger();
  const database = { aheadMs: 5000, takesMs: 10, isAway: false };
  // While an answer is on its way both of its faces go on.
  const face = { ...machine, mono: () => machine.now() };
  const clock = createDatabaseClock({ clock: face, logger }, async () => {
    if (database.isAway) throw new Error('It is away.');
    const half = database.takesMs / 2;
    machine.suspend(half);
    const time = machine.now() + database.aheadMs;
    machine.suspend(half);
    return time;
  });
  return { machine, logger, database, clock };
}

describe('the clock of a machine that goes by that of a database', () => {
  // proves: nodes.time
  it('shows the time of the database, and follows it when it is set', async () => {
    const { machine, database, clock } = createWorld();
    await clock.start();
    expect(clock.now() - machine.now()).toBe(5000);
    database.aheadMs = -3000;
    await machine.advance(10_000);
    expect([clock.now() - machine.now(), clock.behindMs]).toEqual([-3000, -3000]);
    clock.close();
    expect(machine.pending).toBe(0);
  });

  it('does not tremble, nor heed an answer that took long, nor stop where there is none', async () => {
    const { machine, logger, database, clock } = createWorld();
    await clock.start();
    database.aheadMs = 5015;
    await machine.advance(10_000);
    expect(clock.behindMs).toBe(5000);
    Object.assign(database, { aheadMs: 9000, takesMs: 1500 });
    await machine.advance(12_000);
    expect(clock.behindMs).toBe(5000);
    database.isAway = true;
    await machine.advance(20_000);
    Object.assign(database, { isAway: false, takesMs: 10 });
    await machine.advance(20_000);
    expect(clock.behindMs).toBe(9000);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(2);
    clock.close();
  });

  it('cannot be started where the database is away', async () => {
    const { database, clock } = createWorld();
    database.isAway = true;
    await expect(clock.start()).rejects.toThrow('It is away.');
    clock.close();
  });

  it('is that of the machine where a database is embedded, and the other one where it is on a server', () =>
    withStore(async (store) => {
      const time = await store.nodes.time();
      const isServer = process.env['SVC_STORE_TEST_SERVER'] !== undefined;
      expect(time === null).toBe(!isServer);
      if (time !== null) expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
    }));
});
