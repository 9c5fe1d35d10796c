import { describe, expect, it } from '@jest/globals';
import { withUrl } from '../test/database.ts';
import { open, withClient, withStores } from './several.ts';

describe('locks on names', () => {
  // proves: nodes.locks
  it('exclude every other process, but not locks on another name', () =>
    withStores(3, async (...stores) => {
      let inside = 0;
      let most = 0;
      const order: string[] = [];
      const work = async (store: (typeof stores)[number], name: string): Promise<void> => {
        const lock = await store.locks.take(name);
        inside += name === 'demo' ? 1 : 0;
        most = Math.max(most, inside);
        expect(lock.isHeld).toBe(true);
        await store.runs.list('demo', { limit: 1 });
        order.push(name);
        inside -= name === 'demo' ? 1 : 0;
        await lock.release();
      };
      const [first] = stores;
      const held = await first?.locks.take('demo');
      const waiting = stores.flatMap((store) => [work(store, 'demo'), work(store, 'demo')]);
      await Promise.all(stores.map((store) => work(store, 'other')));
      expect(order).toEqual(['other', 'other', 'other']);
      await held?.release();
      await Promise.all(waiting);
      expect(most).toBe(1);
      expect(order.filter((name) => name === 'demo')).toHaveLength(6);
    }));

  // proves: nodes.locks
  it('are released when their process is cut off, which notices it', () =>
    withUrl(async (url) => {
      const [a, b] = [await open(url), await open(url)];
      const held = await a.locks.take('demo');
      await withClient(url, async (client) => {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'svc locks' and datname = current_database()`,
        );
      });
      const next = await b.locks.take('demo');
      // Either of the two may notice first.
      for (let n = 0; n < 500 && held.isHeld; n += 1) await b.runs.list('demo', { limit: 1 });
      expect([held.isHeld, next.isHeld]).toEqual([false, true]);
      await held.release();
      expect(next.isHeld).toBe(true);
      await next.release();
      await (await a.locks.take('demo')).release();
      await a.close();
      await b.close();
    }));
});
