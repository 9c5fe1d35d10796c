import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { StoreError } from '@svc/store';
import { openWhenAvailable } from '../src/open-when-available.ts';

const away = (): StoreError => new StoreError('unavailable', 'It does not answer.');

/** A database that answers only once it is there, and code that waits for it. */
function wait(isThere: () => boolean, failure: () => Error = away, lost: string | null = null) {
  const clock = createFakeClock(0);
  const logger = createMemoryLogger();
  const tries: number[] = [];
  const calls: string[] = [];
  let stop = (): void => {};
  const stopRequested = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const store = { async close() {} };
  const opened = openWhenAvailable(
    { clock, logger },
    async () => {
      tries.push(clock.mono());
      if (!isThere()) throw failure();
      return store;
    },
    {
      begin: async () => void calls.push('begun'),
      failed: (reason) => void calls.push(reason),
      url: () => 'http://127.0.0.1:7420',
      ...{ stopRequested, lost },
    },
  );
  const lines = () => logger.lines.map(({ level, message }) => `${level} ${message}`);
  return { clock, tries, calls, stop, store, opened, lines };
}

describe('a database that is unavailable at the start', () => {
  // proves: nodes.waits
  it('is tried again after pauses that grow from half a second to five', async () => {
    let isThere = false;
    const { clock, tries, calls, store, opened, lines } = wait(() => isThere);
    await clock.advance(30_000);
    expect(tries).toEqual([0, 500, 1500, 3500, 7500, 12_500, 17_500, 22_500, 27_500]);
    isThere = true;
    await clock.advance(5000);
    expect(await opened).toBe(store);
    expect(calls.slice(0, 2)).toEqual(['begun', 'It does not answer.']);
    expect(lines()).toEqual([
      'warn listening, waiting for the database',
      'info database reachable',
    ]);
  });

  // proves: nodes.waits
  it('is logged every minute, and at once when the reason changes', async () => {
    let reason = 'It does not answer.';
    const failure = () => new StoreError('unavailable', reason);
    const { clock, stop, opened, lines } = wait(() => false, failure);
    await clock.advance(59_000);
    expect(lines()).toHaveLength(1);
    await clock.advance(10_000);
    expect(lines()).toHaveLength(2);
    reason = 'It is missing.';
    await clock.advance(5000);
    expect(lines()).toHaveLength(3);
    stop();
    expect(await opened).toBe(null);
  });

  it('is not tried for five seconds after a connection was lost', async () => {
    const { clock, tries, store, opened, lines } = wait(() => true, away, 'It went away.');
    await clock.advance(4999);
    expect(tries).toEqual([]);
    await clock.advance(1);
    expect(await opened).toBe(store);
    expect(lines()).toEqual([
      'warn listening, waiting for the database',
      'info database reachable',
    ]);
  });

  it('is not logged when it is available', async () => {
    const { store, opened, lines } = wait(() => true);
    expect(await opened).toBe(store);
    expect(lines()).toEqual([]);
  });

  // proves: nodes.waits
  it('is given up at once on request', async () => {
    const { clock, stop, opened } = wait(() => false);
    await clock.advance(100);
    stop();
    expect(await opened).toBe(null);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['newer_schema', new StoreError('newer_schema', 'A later version wrote it.')],
    ['no_address', new StoreError('no_address', 'It is no address.')],
    ['another error', new Error('Something else.')],
  ])('is not retried when waiting cannot help: %s', async (_code, error) => {
    const { opened, lines } = wait(
      () => false,
      () => error,
    );
    await expect(opened).rejects.toBe(error);
    expect(lines()).toEqual([]);
  });
});

describe('a database that answers after waiting was given up', () => {
  it('is closed', async () => {
    const clock = createFakeClock(0);
    const logger = createMemoryLogger();
    let answer = (_: { close(): Promise<void> }): void => {};
    const opening = new Promise<{ close(): Promise<void> }>((resolve) => {
      answer = resolve;
    });
    const begin = async () => {};
    const stopRequested = Promise.resolve();
    const opened = openWhenAvailable({ clock, logger }, () => opening, {
      ...{ begin, failed() {}, url: () => '', stopRequested, lost: null },
    });
    expect(await opened).toBe(null);
    const closed = new Promise<void>((resolve) => {
      answer({ close: async () => resolve() });
    });
    await closed;
  });
});
