import { describe, expect, it } from '@jest/globals';
import { createNameLocks } from '../src/cluster/locks.ts';
import { withStore } from './harness.ts';

describe('the lock on a name', () => {
  it('has one holder in a process, and the next one in order after its release', () =>
    withStore(async ({ locks }) => {
      const order: string[] = [];
      const first = await locks.take('firing a');
      const others = ['second', 'third'].map(async (who) => {
        const lock = await locks.take('firing a');
        order.push(who);
        await lock.release();
      });
      const other = await locks.take('firing b');
      order.push('other name');
      await first.release();
      await Promise.all([...others, other.release()]);
      expect(order).toEqual(['other name', 'second', 'third']);
    }));

  it('asks for the lock that excludes other processes once per holder, and continues after a failure', async () => {
    let held = 0;
    let asked = 0;
    const locks = createNameLocks({
      async take() {
        asked += 1;
        if (asked === 2) throw new Error('The database does not respond.');
        held += 1;
        expect(held).toBe(1);
        return {
          isHeld: true,
          async release() {
            held -= 1;
            if (asked === 1) throw new Error('The connection was lost.');
          },
        };
      },
      async close() {},
    });
    const first = await locks.take('a');
    const [second, third] = [locks.take('a'), locks.take('a')];
    await expect(first.release()).rejects.toThrow('The connection was lost.');
    await expect(second).rejects.toThrow('The database does not respond.');
    await (await third).release();
    expect(asked).toBe(3);
  });
});
