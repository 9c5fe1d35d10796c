import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { createHealth, createServiceManager, takeManagerSettings } from '../src/service-manager.ts';

function managed({ watchdogMs = 90_000 as number | null, fails = false } = {}) {
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const sent: string[] = [];
  const world = { healthy: true };
  const manager = createServiceManager({
    ...{ clock, logger, watchdogMs, isHealthy: async () => world.healthy },
    async notify(assignments) {
      if (fails) throw new Error('no such program');
      sent.push(assignments.join(' '));
    },
  });
  return { clock, logger, sent, world, manager, take: () => sent.splice(0) };
}

// proves: deploy.unit.notify
describe('a service started by systemd', () => {
  it('asks for more start time until it is ready, then notifies the watchdog', async () => {
    const { clock, manager, take } = managed();
    await clock.advance(60_000);
    expect(take()).toEqual(['EXTEND_TIMEOUT_USEC=60000000', 'EXTEND_TIMEOUT_USEC=60000000']);
    manager.ready('Serving at\nhttp://127.0.0.1:7420');
    await clock.advance(60_000);
    expect(take()).toEqual([
      'READY=1 STATUS=Serving at http://127.0.0.1:7420',
      'WATCHDOG=1',
      'WATCHDOG=1',
    ]);
  });

  it('notifies three times per watchdog interval', async () => {
    const { clock, manager, take } = managed({ watchdogMs: 6000 });
    manager.ready('Serving');
    await clock.advance(6000);
    expect(take().filter((one) => one === 'WATCHDOG=1')).toHaveLength(3);
  });

  it('does not notify the watchdog while it is unhealthy', async () => {
    const { clock, logger, manager, world, take } = managed();
    manager.ready('Serving');
    world.healthy = false;
    await clock.advance(60_000);
    expect(take()).toEqual(['READY=1 STATUS=Serving']);
    expect(logger.lines).toMatchObject([{ level: 'error' }, { level: 'error' }]);
    world.healthy = true;
    await clock.advance(30_000);
    expect(take()).toEqual(['WATCHDOG=1']);
  });

  it('does not notify the watchdog when the unit has none', async () => {
    const { clock, manager, take } = managed({ watchdogMs: null });
    manager.ready('Serving');
    await clock.advance(600_000);
    expect(take()).toEqual(['READY=1 STATUS=Serving']);
  });

  it('announces its shutdown with the time that turns have to end, and nothing after that', async () => {
    const { clock, manager, take } = managed();
    manager.ready('Serving');
    manager.stopping(600_000);
    manager.ready('Serving');
    await clock.advance(600_000);
    expect(take()).toEqual([
      'READY=1 STATUS=Serving',
      'STOPPING=1 STATUS=Stopping EXTEND_TIMEOUT_USEC=660000000',
    ]);
    expect(clock.pending).toBe(0);
  });

  it('warns once when systemd cannot be notified', async () => {
    const { clock, logger, manager } = managed({ fails: true });
    manager.ready('Serving');
    await clock.advance(300_000);
    expect(logger.lines).toMatchObject([
      { level: 'warn', fields: { error: 'no such program' }, message: 'systemd was not notified' },
    ]);
  });
});

// proves: deploy.unit.notify
it('a service is healthy unless it fails to accept connections', async () => {
  const front = { isLive: () => true };
  const { follow, isHealthy } = createHealth();
  expect(await isHealthy()).toBe(true);
  follow(front);
  expect(await isHealthy()).toBe(true);
  front.isLive = () => false;
  expect(await isHealthy()).toBe(false);
});

describe('the environment variables of systemd', () => {
  const socket = '/run/systemd/notify';

  // proves: deploy.unit.notify
  it.each([
    [{}, null],
    [{ NOTIFY_SOCKET: '' }, null],
    [{ NOTIFY_SOCKET: socket }, { socket, watchdogMs: null }],
    [
      { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '90000000', WATCHDOG_PID: '7' },
      { socket, watchdogMs: 90_000 },
    ],
    [
      { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '90000000', WATCHDOG_PID: '8' },
      { socket, watchdogMs: null },
    ],
  ])('%j are read and removed', (given, settings) => {
    const env = { ...given, PATH: '/bin' };
    expect(takeManagerSettings(env, 7)).toEqual(settings);
    expect(env).toEqual({ PATH: '/bin' });
  });
});
