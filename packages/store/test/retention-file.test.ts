import { statSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { TriggerKey } from '@svc/records';
import type { Store } from '@svc/store';
import { arming, key, T0, withFileStore } from './harness.ts';
import { fire, prune, rule } from './old-runs.ts';

const ONE_STEP = new URL('../bench/one-step.mjs', import.meta.url).href;
interface Bench {
  writeRun(store: Store, of: TriggerKey, at: number): Promise<void>;
}

describe('old runs of an embedded database', () => {
  // proves: retention.space
  it('give their space back to the disk', () =>
    withFileStore(async (store, file) => {
      await store.claims.arm([arming(T0 - 1)]);
      for (let n = 0; n < 40; n += 1)
        await fire(store, T0 + n * 1000, { text: `${n} ${'x'.repeat(20_000)}` });
      await store.retention.settle();
      const before = statSync(file).size;
      await prune(store, rule());
      expect((await store.retention.size()).free).toBeGreaterThan(600_000);
      while (await store.retention.shrink(100_000));
      await store.retention.settle();
      expect(await store.retention.size()).toEqual({ bytes: statSync(file).size, free: 0 });
      expect(statSync(file).size).toBeLessThan(before - 600_000);
      expect(statSync(`${file}-wal`).size).toBe(0);
    }));

  // proves: retention.size
  it(
    'take less than 1 kB each where they are of one step',
    () =>
      withFileStore(async (store, file) => {
        const { writeRun } = (await import(ONE_STEP)) as Bench;
        const size = async () => {
          await store.retention.settle();
          return statSync(file).size;
        };
        for (let n = 0; n < 100; n += 1) await writeRun(store, key, T0 + n * 1000);
        const before = await size();
        for (let n = 100; n < 700; n += 1) await writeRun(store, key, T0 + n * 1000);
        expect(((await size()) - before) / 600).toBeLessThan(1000);
      }),
    60_000,
  );
});
