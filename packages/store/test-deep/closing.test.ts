import { performance } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@svc/core';
import { openStore, type Store } from '@svc/store';
import { opening } from '../test/harness.ts';
import { startPostgres } from './postgres.mjs';
import { withHanging } from './stopping.ts';

/** How long a store may take to close, whatever its server does. */
const MOST_MS = 6000;

const socketsOpen = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

/** A store whose server is stopped within `test`. */
async function withStopped(test: (store: Store, stop: () => Promise<void>) => Promise<void>) {
  const server = await startPostgres();
  try {
    await withHanging(server.url, async ({ stop }) => {
      const clock = createSystemClock();
      const store = await openStore({ clock }, { url: server.url, version: '1' });
      // It is connected for signals then.
      await new Promise((resolve) => store.signals.subscribe(resolve));
      await test(store, stop);
    });
  } finally {
    await server.close();
  }
}

async function close(store: Store): Promise<void> {
  const before = performance.now();
  await store.close();
  expect(performance.now() - before).toBeLessThan(MOST_MS);
}

/** Whether no more sockets are open than before; those that are cut off are gone a moment later. */
async function areClosed(before: number): Promise<boolean> {
  for (let n = 0; n < 100 && socketsOpen() > before; n += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return socketsOpen() <= before;
}

describe('a store on a server that was stopped', () => {
  // proves: nodes.close
  it('closes within seconds, and leaves no connection open', async () => {
    const before = socketsOpen();
    await withStopped(async (store, stop) => {
      await store.turns.open(opening());
      await (await store.locks.take('demo')).release();
      await stop();
      await close(store);
      expect(await areClosed(before)).toBe(true);
    });
  });

  // proves: nodes.close
  it('closes within seconds in the middle of its work, all of which fails', async () => {
    const before = socketsOpen();
    await withStopped(async (store, stop) => {
      const held = await store.locks.take('held');
      await stop();
      const work = [
        store.turns.open(opening()),
        store.turns.open(opening()),
        store.runs.list('demo', { limit: 1 }),
        store.locks.take('other'),
        held.release(),
      ];
      store.signals.send({ kind: 'run' });
      const done = Promise.allSettled(work);
      await close(store);
      const codes = (await done).map((one) => one.status === 'rejected' && one.reason.code);
      expect(codes).toEqual([...Array(4).fill('unavailable'), false]);
      expect(await areClosed(before)).toBe(true);
    });
  });

  it('closes within seconds while a lock is held, which is lost', async () => {
    await withStopped(async (store) => {
      const held = await store.locks.take('held');
      await close(store);
      expect(held.isHeld).toBe(false);
      await held.release();
    });
  });
});
