import { performance } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@svc/core';
import { createMemoryLogger, type MemoryLogger } from '@svc/core/testing';
import { openStore, type Store } from '@svc/store';
import { withUrl } from '../test/database.ts';
import { opening } from '../test/harness.ts';
import { withClient } from './several.ts';
import { type Hanging, withHanging } from './stopping.ts';

const WRITER = '7307175930317105011';

interface Place extends Hanging {
  readonly store: Store;
  readonly url: string;
  readonly logger: MemoryLogger;
}

const withStore = (test: (place: Place) => Promise<void>) =>
  withUrl((url) =>
    withHanging(url, async (hanging) => {
      const logger = createMemoryLogger();
      const store = await openStore({ clock: createSystemClock(), logger }, { url, version: '1' });
      try {
        await test({ ...hanging, store, url, logger });
      } finally {
        hanging.goOn();
        await store.close();
      }
    }),
  );

/** How long work took, and why it failed. */
async function failing(work: () => Promise<unknown>): Promise<{ ms: number; error: unknown }> {
  const before = performance.now();
  const error = await work().then(
    () => null,
    (refused: unknown) => refused,
  );
  return { ms: performance.now() - before, error };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const answers = (store: Store) => () =>
  store.ping().then(
    () => true,
    () => false,
  );

const UNAVAILABLE = {
  code: 'unavailable',
  message: expect.stringContaining('does not respond. Check its server'),
};

describe('a server that hangs', () => {
  // proves: nodes.hangs
  it('fails each call within seconds, later ones at once, and is used again when it responds', () =>
    withStore(async ({ store, stop, goOn, logger }) => {
      await store.turns.open(opening());
      await stop();
      const asked = [
        () => store.turns.open(opening()),
        () => store.turns.open(opening()),
        () => store.runs.list('demo', { limit: 1 }),
        () => store.locks.take('other'),
      ];
      for (const { ms, error } of await Promise.all(asked.map(failing))) {
        expect(error).toMatchObject(UNAVAILABLE);
        expect(ms).toBeLessThan(3500);
      }
      for (const ask of [...asked, () => store.ping()]) {
        const { ms, error } = await failing(ask);
        expect(error).toMatchObject(UNAVAILABLE);
        expect(ms).toBeLessThan(250);
      }
      goOn();
      await until(answers(store));
      await store.turns.open(opening());
      expect(await store.turns.queued()).toHaveLength(2);
      expect(logger.lines.map(({ message }) => message)).toEqual([
        'database unavailable',
        'database writable again',
      ]);
    }));

  // proves: nodes.lost-answer
  it('keeps what it says it has kept, once, and nothing of what it did not', () =>
    withStore(async ({ store, stop, goOn }) => {
      const kept = new Set<string>();
      const lost = new Set<string>();
      let isOver = false;
      const write = async (): Promise<void> => {
        while (!isOver) {
          const begun = opening();
          await store.turns.open(begun).then(
            () => kept.add(begun.turnId),
            () => lost.add(begun.turnId),
          );
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const work = Promise.all(Array.from({ length: 20 }, write));
      for (let n = 0; n < 3; n += 1) {
        const before = kept.size;
        await until(async () => kept.size > before + 50);
        await stop();
        const { size } = lost;
        await until(async () => lost.size > size);
        goOn();
        await until(answers(store));
      }
      isOver = true;
      await work;
      const there = new Set((await store.turns.queued()).map(({ id }) => id));
      expect(lost.size).toBeGreaterThan(3);
      expect([...kept].filter((id) => !there.has(id))).toEqual([]);
      expect([...lost].filter((id) => there.has(id))).toEqual([]);
    }));
});

describe('a server that is busy', () => {
  // proves: nodes.hangs
  it('is not held for away, however many wait and for however long', () =>
    withStore(async ({ store, url, logger }) => {
      await withClient(url, async (client) => {
        await client.query(`begin; select pg_advisory_xact_lock(${WRITER})`);
        const writes = Promise.all(Array.from({ length: 256 }, () => store.turns.open(opening())));
        const reads = Array.from({ length: 12 }, () => store.turns.queued());
        expect(await failing(() => store.ping())).toMatchObject({ error: null });
        await client.query('select pg_sleep(4)');
        await Promise.all(reads);
        await client.query('commit');
        await writes;
      });
      expect(await store.turns.queued()).toHaveLength(256);
      expect(logger.lines).toEqual([]);
    }));
});
