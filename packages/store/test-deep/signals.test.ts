import { describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@svc/core';
import { type HeardSignal, openStore, type Store } from '@svc/store';
import { withUrl } from '../test/database.ts';
import { withFileStore } from '../test/harness.ts';
import { withClient } from './several.ts';

/** What a store hears, to be waited for. */
function heardBy(store: Store) {
  const heard: HeardSignal[] = [];
  let waiting: { count: number; resolve: () => void } | null = null;
  store.signals.subscribe((signal) => {
    heard.push(signal);
    if (waiting !== null && heard.length >= waiting.count) waiting.resolve();
  });
  const atLeast = (count: number): Promise<void> =>
    new Promise((resolve) => {
      if (heard.length >= count) resolve();
      else waiting = { count, resolve };
    });
  return { heard, atLeast };
}

async function withThree(test: (url: string, stores: readonly Store[]) => Promise<void>) {
  await withUrl(async (url) => {
    const clock = createSystemClock();
    const stores: Store[] = [];
    try {
      for (let n = 0; n < 3; n += 1) {
        const store = await openStore({ clock }, { url, version: '1' });
        stores.push(store);
        // It listens once it tells that something may have been missed.
        await heardBy(store).atLeast(1);
      }
      await test(url, stores);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}

const [numbered, long] = [
  (n: number) => ({ kind: 'run', n: String(n) }),
  (n: number) => ({ kind: 'run', n: String(n), text: 'ü'.repeat(400) }),
];

describe('signals between processes that share a database', () => {
  // proves: nodes.signals
  it('are heard by all others in order, and not by who sends them', () =>
    withThree(async (_url, [a, b, c]) => {
      if (a === undefined || b === undefined || c === undefined) throw new Error('three');
      const [own, first, second] = [heardBy(a), heardBy(b), heardBy(c)];
      const sent = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? numbered(n) : long(n)));
      for (const signal of sent) a.signals.send(signal);
      await Promise.all([first.atLeast(200), second.atLeast(200)]);
      expect(first.heard).toEqual(sent);
      expect(second.heard).toEqual(sent);
      b.signals.send(numbered(1));
      await own.atLeast(1);
      expect(own.heard).toEqual([numbered(1)]);
    }));

  // proves: nodes.signals
  it('continue after the connection was cut, with a notice that some may have been missed', () =>
    withThree(async (url, [a, b]) => {
      if (a === undefined || b === undefined) throw new Error('two');
      const [own, others] = [heardBy(a), heardBy(b)];
      await withClient(url, async (client) => {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'svc signals' and datname = current_database()`,
        );
      });
      await Promise.all([own.atLeast(1), others.atLeast(1)]);
      // Each tells the others, once it is back, that they may have missed something too.
      while (!others.heard.some((heard) => heard !== 'missed')) {
        a.signals.send(numbered(7));
        await others.atLeast(others.heard.length + 1);
      }
      expect(own.heard.every((heard) => heard === 'missed')).toBe(true);
      expect(others.heard.find((heard) => heard !== 'missed')).toEqual(numbered(7));
    }));

  it('that anybody else sends there are left alone where they are none', () =>
    withThree(async (url, [a, b]) => {
      if (a === undefined || b === undefined) throw new Error('two');
      const others = heardBy(b);
      await withClient(url, async (client) => {
        for (const text of [
          'no JSON',
          '{}',
          '[1]',
          'null',
          '{"from":"x","signals":[3]}',
          '{"from":"x","signals":[{"n":3}]}',
        ]) {
          await client.query('select pg_notify($1, $2)', ['svc_signals', text]);
        }
      });
      a.signals.send(numbered(1));
      await others.atLeast(1);
      expect(others.heard).toEqual([numbered(1)]);
    }));

  it('of an embedded database have no listeners', () =>
    withFileStore(async (store) => {
      const { heard } = heardBy(store);
      store.signals.send(numbered(1));
      expect(heard).toEqual([]);
    }));
});
