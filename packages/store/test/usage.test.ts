import { describe, expect, it } from '@jest/globals';
import { localDay, newId } from '@svc/core';
import type { Store } from '@svc/store';
import { ending, key, opening, T0, withStore } from './harness.ts';

const DAY = 86_400_000;
const today = localDay(T0);

type Known = Partial<{ tokensIn: number; tokensOut: number; costMicrousd: number }>;

async function turn(store: Store, at: number, used: Known, isRun = true): Promise<void> {
  const run = { fresh: { id: newId(), key, cause: 'manual', by: null, claimedAt: at } } as const;
  const begun = opening({ at, ...(isRun ? { run } : {}) });
  await store.turns.open(begun);
  await store.turns.start(begun.turnId, at, at + 60_000, 'node');
  await store.turns.end(begun.turnId, { ...ending, ...used }, at);
}

describe('what turns used', () => {
  it('is summed by trigger and day, unknown until it is reported', () =>
    withStore(async (store) => {
      const { usage } = store;
      await turn(store, T0 - 2 * DAY, { tokensIn: 5 });
      await turn(store, T0, {});
      await turn(store, T0, {});
      const days = { today, since: localDay(T0 - 2 * DAY) };
      const none = { chatTurns: 0, tokensOut: null, costMicrousd: null };
      expect((await usage.ofTriggers('demo', days)).get('trigger/nightly')).toEqual({
        today: { ...none, runs: 2, tokensIn: null },
        month: { ...none, runs: 3, tokensIn: 5 },
      });
      await turn(store, T0, { tokensIn: 3, tokensOut: 4, costMicrousd: 70 });
      await turn(store, T0, { tokensIn: 3 });
      const sums = (await usage.ofTriggers('demo', days)).get('trigger/nightly');
      expect(sums?.today).toEqual({
        chatTurns: 0,
        runs: 4,
        tokensIn: 6,
        tokensOut: 4,
        costMicrousd: 70,
      });
      expect(sums?.month).toMatchObject({ runs: 5, tokensIn: 11, tokensOut: 4 });
      expect((await usage.ofTriggers('other', days)).size).toBe(0);
    }));

  it('counts turns of chats apart, by project and day', () =>
    withStore(async (store) => {
      const { usage } = store;
      await turn(store, T0, { tokensIn: 3 });
      await turn(store, T0, { tokensIn: 2, costMicrousd: 1 }, false);
      const both = { runs: 1, chatTurns: 1, tokensIn: 5, tokensOut: null, costMicrousd: 1 };
      expect(await usage.byDay('demo', today)).toEqual(new Map([[today, both]]));
      expect(await usage.on(['demo', 'other'], today)).toEqual(both);
      expect(await usage.on(['other'], today)).toMatchObject({ runs: 0, tokensIn: null });
      expect(await usage.on([], today)).toMatchObject({ runs: 0 });
      expect((await usage.byName('demo', today)).map(({ source, name }) => [source, name])).toEqual(
        [
          ['chat', ''],
          ['trigger', 'nightly'],
        ],
      );
    }));

  it('stands in the record of its run, and is not counted for a turn that never started', () =>
    withStore(async (store) => {
      await turn(store, T0, { tokensIn: 3, tokensOut: 0 });
      const [run] = (await store.runs.list('demo', { limit: 1 })).runs;
      expect(run).toMatchObject({ tokensIn: 3, tokensOut: 0, cost: null });
      const waiting = opening();
      await store.turns.open(waiting);
      await store.turns.end(waiting.turnId, { ...ending, outcome: 'cancelled' }, T0);
      expect(await store.usage.on(['demo'], today)).toMatchObject({ runs: 1, chatTurns: 0 });
    }));
});

describe('what a budget has cost', () => {
  const owner = { project: 'demo', trigger: 'nightly' };
  const budget = { ...owner, costPerDayUsd: 1 };
  const bounds = [{ projects: ['*'], denyProjects: [], maxSpawnDepth: null, budget }];

  // proves: limits.cost-per-day.trigger
  it('is that of its own runs, and of all turns that have it as a bound, each once', () =>
    withStore(async (store) => {
      const { turns, usage } = store;
      const spent = () => usage.costOn(today, { budget: owner });
      const begin = async (isRun: boolean) => {
        const run = {
          fresh: { id: newId(), key, cause: 'manual', by: null, claimedAt: T0 },
        } as const;
        const made = opening({ at: T0, ...(isRun ? { run } : {}) });
        const begun = { ...made, capability: { ...made.capability, bounds } };
        await turns.open(begun);
        await turns.start(begun.turnId, T0, T0 + 60_000, 'node');
        return begun.turnId;
      };
      const end = (id: string, costMicrousd: number | null, at = T0) =>
        turns.end(id, { ...ending, costMicrousd }, at);
      await turn(store, T0, { costMicrousd: 1 });
      await turn(store, T0, { costMicrousd: 100_000 }, false);
      const [own, started, other] = [await begin(true), await begin(false), await begin(false)];
      await turns.used(own, { tokensIn: 1, tokensOut: 1, costMicrousd: 10 });
      await turns.used(started, { tokensIn: 1, tokensOut: 1, costMicrousd: 200 });
      expect(await spent()).toBe(211);
      const day = await usage.dayUse(today);
      const costs = [{ budget: owner }, { project: 'demo' }, { project: 'other' }] as const;
      expect(costs.map(day.costOf)).toEqual([211, 100_211, 0]);
      expect([day.costOf(), day.firesOf(key), day.fires]).toEqual([100_211, 0, 0]);
      await end(own, 20);
      await end(started, 300);
      await end(other, 4000);
      expect(await spent()).toBe(4321);
      expect(await usage.costOn(today, { budget: { ...owner, trigger: 'other' } })).toBe(0);
      expect(await usage.costOn(today, { project: 'demo' })).toBe(104_321);
      expect(await usage.costOn(today, { project: 'other' })).toBe(0);
      expect(await usage.costOn(today)).toBe(104_321);
      expect((await usage.dayUse(today)).costOf({ budget: owner })).toBe(4321);
      await end(await begin(false), 7, T0 + DAY);
      expect(await usage.costOn(localDay(T0 + DAY), { budget: owner })).toBe(7);
      expect(await spent()).toBe(21);
    }));
});
