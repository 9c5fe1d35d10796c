import { describe, expect, it } from '@jest/globals';
import { localDay, newId } from '@svc/core';
import type { RunOutcome } from '@svc/records';
import type { NewChange, Store } from '@svc/store';
import { arming, ending, key, missed, opening, slot, T0, withStore } from './harness.ts';

const DAY = 86_400_000;
const DAY_0 = localDay(T0);
const PAUSED: NewChange = {
  ...{ at: '2026-03-01T00:00:00.000Z', kind: 'paused', by: 'ada', via: 'rest', reason: null },
  ...{ project: null, source: null, trigger: null, sessionId: null, writtenAt: null },
  ...{ fields: [], standing: null, anchor: null },
};

async function end(store: Store, outcome: RunOutcome, at = T0): Promise<string> {
  const id = newId();
  const run = { id, key, cause: 'manual', by: null, claimedAt: at } as const;
  await store.runs.addEnded(run, outcome, 'It was so.');
  return id;
}

const of = { project: key.project, source: key.source, trigger: key.name };
const delivery = (n: number, addedAt = T0 + n) => ({
  ...{ id: `d${n}`, sink: 'ops', type: 'failed', body: '{}', addedAt },
  ...{ project: key.project, trigger: key.name, runId: null },
});
const adding = (...deliveries: ReturnType<typeof delivery>[]) =>
  ({ runs: [], of: null, deliveries, marks: [] }) as never;

describe('ends of runs', () => {
  it('are pending from the first time alerts are enabled until they are sent, also after a restart', () =>
    withStore(async (store) => {
      await end(store, 'failed');
      await store.alerts.follow(true);
      expect(await store.alerts.pendingRuns(10)).toEqual([]);
      const [first, second] = [await end(store, 'failed'), await end(store, 'succeeded')];
      await store.alerts.follow(true);
      const pending = await store.alerts.pendingRuns(10);
      expect(pending.map(({ id, outcome }) => [id, outcome])).toEqual([
        [first, 'failed'],
        [second, 'succeeded'],
      ]);
      const marks = [{ sink: 'ops', type: 'failed', at: T0, open: true }] as const;
      await store.alerts.add({ runs: [first], of, deliveries: [], marks }, 10);
      expect((await store.alerts.pendingRuns(10)).map(({ id }) => id)).toEqual([second]);
      expect(await store.alerts.marks(of)).toEqual(marks);
      await store.alerts.follow(false);
      expect(await store.alerts.pendingRuns(10)).toEqual([]);
    }));

  it('of missed slots are pending again when further slots join them', () =>
    withStore(async (store) => {
      await store.alerts.follow(true);
      await store.claims.arm([arming(T0)]);
      await store.claims.claim([missed(T0 + 1000, T0 + 1000, 1)]);
      const [run] = await store.alerts.pendingRuns(10);
      await store.alerts.add({ runs: [run?.id ?? ''], of: null, deliveries: [], marks: [] }, 10);
      await store.claims.claim([missed(T0 + 2000, T0 + 2000, 1)]);
      const again = await store.alerts.pendingRuns(10);
      expect(again.map(({ id, slots }) => [id, slots])).toEqual([[run?.id, 2]]);
    }));

  it('count as failures in a row without what was skipped or cancelled', () =>
    withStore(async (store) => {
      const outcomes = ['failed', 'succeeded', 'timed_out', 'cancelled', 'missed'] as const;
      for (const outcome of outcomes) await end(store, outcome);
      const id = await end(store, 'failed');
      await end(store, 'failed');
      expect(await store.alerts.failuresUpTo({ ...of, id }, 100)).toBe(2);
    }));
});

describe('deliveries', () => {
  it('are due until they are delivered or given up, longest due first', () =>
    withStore(async ({ alerts }) => {
      await alerts.add(adding(delivery(1), delivery(2)), 10);
      await alerts.tried('d1', { at: T0 + 5, ok: false, error: 'No.' }, T0 + 5000);
      expect((await alerts.due('ops', T0 + 100, 10)).map(({ id }) => id)).toEqual(['d2']);
      expect(await alerts.lastTry('ops')).toEqual({ at: T0 + 5, ok: false, error: 'No.' });
      await alerts.tried('d2', { at: T0 + 6, ok: true, error: null }, null);
      expect(await alerts.nextDue('ops')).toBe(T0 + 5000);
      expect(await alerts.due('ops', T0 + 5000, 10)).toMatchObject([{ id: 'd1', attempts: 1 }]);
      await alerts.tidy([], T0, T0 + 10);
      expect(await alerts.nextDue('ops')).toBeNull();
      await alerts.tidy([], T0 + 30 * DAY, T0 + 30 * DAY);
      expect(await alerts.lastTry('ops')).toBeNull();
    }));

  it('keep marks of triggers, and of a lost server for as long as deliveries', () =>
    withStore(async ({ alerts }) => {
      const server = { project: '', source: 'trigger', trigger: 'server 0199-a' } as const;
      const all = { ...server, trigger: '' };
      const marks = [{ sink: 'ops', type: 'missed', at: T0, open: false }] as const;
      for (const one of [server, all, of]) {
        await alerts.add({ runs: [], of: one, deliveries: [], marks }, 10);
      }
      await alerts.tidy(['ops'], T0, T0 + 30 * DAY);
      expect(await alerts.marks(server)).toEqual(marks);
      await alerts.tidy(['ops'], T0 + 1, T0 + 30 * DAY);
      expect(await alerts.marks(server)).toEqual([]);
      expect([await alerts.marks(all), await alerts.marks(of)]).toEqual([marks, marks]);
    }));

  it('beyond the most that may wait for a sink drop the oldest', () =>
    withStore(async ({ alerts }) => {
      expect(await alerts.add(adding(delivery(1), delivery(2), delivery(3)), 2)).toBe(1);
      const due = await alerts.due('ops', T0 + 100, 10);
      expect(due.map(({ id }) => id)).toEqual(['d2', 'd3']);
    }));
});

describe('digests and pauses', () => {
  it('sum up what came of each trigger, day by day', () =>
    withStore(async (store) => {
      await store.claims.arm([arming(T0 - 1)]);
      const outcomes = ['failed', 'timed_out', 'cancelled', 'missed', 'skipped_overlap'] as const;
      for (const outcome of outcomes) await end(store, outcome);
      const [claimed] = await store.claims.claim([slot(T0)]);
      const run = { claimed: claimed?.won ? claimed.runId : '' };
      const turn = opening({ run });
      await store.turns.open(turn);
      await store.turns.start(turn.turnId, T0, T0 + 1000, 'node');
      const failed = { ...ending, outcome: 'failed', costMicrousd: 7 } as const;
      await store.turns.end(turn.turnId, failed, T0 + 10);
      const [sum, ...others] = await store.alerts.sums(DAY_0, localDay(T0 + DAY));
      expect(others).toEqual([]);
      expect(sum).toEqual({
        ...{ ...of, runs: 1, failures: 3, missed: 1, skipped: 1, costMicrousd: 7 },
      });
      expect(await store.alerts.sums(localDay(T0 - DAY), DAY_0)).toEqual([]);
      expect(await store.alerts.sums(localDay(T0 + DAY), localDay(T0 + 2 * DAY))).toEqual([]);
    }));

  it('count each slot of a long row once, and what retention has removed', () =>
    withStore(async (store) => {
      await store.claims.arm([arming(T0 - 1)]);
      for (let day = 0; day < 40; day += 1) {
        const at = T0 + day * DAY;
        await store.claims.claim([{ ...missed(at, at + 2000, 3), claimedAt: at }]);
      }
      const rows = await store.runs.list(key.project, { limit: 10 });
      expect(rows.runs.map(({ slotCount }) => slotCount)).toEqual([120]);
      const week = [localDay(T0 + 33 * DAY), localDay(T0 + 40 * DAY)] as const;
      expect(await store.alerts.sums(...week)).toMatchObject([{ missed: 21 }]);
      const now = T0 + 50 * DAY;
      const rule = { runs: 0, since: null, keepsFailure: false, now };
      const place = await store.retention.place(key, rule);
      expect(await store.retention.prune(key, rule, place, 10)).toMatchObject({ runs: 1 });
      expect(await store.alerts.sums(...week)).toMatchObject([{ missed: 21 }]);
    }));

  it('are sent up to a stored instant, which is removed when alerts are disabled', () =>
    withStore(async ({ alerts, pausing }) => {
      await pausing.setAll({ by: 'ada', at: '2026-03-01T00:00:00.000Z', reason: null }, PAUSED);
      await alerts.follow(true);
      expect(await alerts.pendingPause()).toBeNull();
      const pause = { by: 'bob', at: '2026-03-02T00:00:00.000Z', reason: 'Moving.' };
      await pausing.setAll(pause, PAUSED);
      expect(await alerts.pendingPause()).toEqual(pause);
      expect(await alerts.digestAt()).toBeNull();
      const nothing = { runs: [], of: null, deliveries: [], marks: [] };
      await alerts.add({ ...nothing, pauseAt: pause.at, digestAt: T0 }, 10);
      expect([await alerts.pendingPause(), await alerts.digestAt()]).toEqual([null, T0]);
      await alerts.follow(false);
      expect(await alerts.digestAt()).toBeNull();
    }));
});

describe('a daily limit that is spent', () => {
  // proves: alerts.limited
  it('is noted once a day, and reported once', () =>
    withStore(async ({ alerts }) => {
      await alerts.follow(true);
      const all = { limit: 'limits.costPerDayUsd', project: null, trigger: null, run: null };
      const note = { ...all, day: DAY_0, at: T0, reason: 'It is spent.' };
      const own = { ...note, limit: 'costPerDayUsd', project: 'demo', at: T0 + 1 };
      expect(await alerts.noteSpent(own)).toBe(true);
      expect(await alerts.noteSpent(note)).toBe(true);
      expect(await alerts.noteSpent({ ...note, at: T0 + 5 })).toBe(false);
      expect(await alerts.pendingSpentLimits()).toEqual([note, own]);
      const notification = { runs: [], of: null, deliveries: [], marks: [] };
      await alerts.add({ ...notification, spent: [note] }, 10);
      expect(await alerts.pendingSpentLimits()).toEqual([own]);
      expect(await alerts.noteSpent({ ...note, at: T0 + 9 })).toBe(false);
      const next = { ...note, day: localDay(T0 + DAY), at: T0 + DAY };
      expect(await alerts.noteSpent(next)).toBe(true);
      await alerts.add({ ...notification, spent: [note] }, 10);
      expect(await alerts.pendingSpentLimits()).toEqual([own, next]);
      await alerts.follow(false);
      expect(await alerts.pendingSpentLimits()).toEqual([]);
    }));
});

describe('a sink', () => {
  it('that works again has all that waits tried at once, in its order; what was given up is counted', () =>
    withStore(async ({ alerts }) => {
      await alerts.add(adding(delivery(1), delivery(2), delivery(3)), 10);
      await alerts.tried('d1', { at: T0 + 5, ok: false, error: 'No.' }, T0 + 5000);
      await alerts.tried('d3', { at: T0 + 6, ok: false, error: 'No.' }, null);
      expect(await alerts.counts('ops')).toEqual({ waiting: 2, givenUp: 1 });
      await alerts.hasten('ops', T0 + 10);
      expect((await alerts.due('ops', T0 + 10, 10)).map(({ id }) => id)).toEqual(['d1', 'd2']);
      const test = { id: 't1', sink: 'ops', body: '{}', at: T0 + 20, ok: false, error: 'No!' };
      await alerts.addTried(test);
      expect(await alerts.lastTry('ops')).toEqual({ at: T0 + 20, ok: false, error: 'No!' });
      expect(await alerts.counts('ops')).toEqual({ waiting: 2, givenUp: 1 });
    }));
});
