import { describe, expect, it } from '@jest/globals';
import { localDay } from '@svc/core';
import type { TakeBack } from '@svc/records';
import { arming, key, missed, slot, T0, withStore } from './harness.ts';

const MINUTE = 60_000;
const ID = 'demo/trigger/nightly';

function takingBack(now: number, cuts: TakeBack['cuts'], reason: string | null = 'Why.'): TakeBack {
  return { key, now, cuts, decidedUntil: T0 + 61 * MINUTE, reason };
}

describe('slots that are decided later than the clock', () => {
  it('are none while the clock was never set back', () =>
    withStore(async ({ claims }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([slot(T0 + MINUTE)]);
      expect((await claims.ahead('demo', T0 + MINUTE)).size).toBe(0);
    }));

  it('are listed with whether they ran', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      const now = T0 + 5 * MINUTE;
      await claims.claim([missed(T0 + MINUTE, T0 + 60 * MINUTE, 60), slot(T0 + 61 * MINUTE)]);
      const [run] = (await claims.claim([slot(T0 + 62 * MINUTE)])).flatMap((each) =>
        each.won ? each.runId : [],
      );
      await runs.endUnstarted(run ?? '', 'skipped_overlap', 'Busy.', T0);
      const ahead = (await claims.ahead('demo', now)).get(ID) ?? [];
      expect(ahead.map(({ runId: _, ...rest }) => rest)).toEqual([
        { from: T0 + MINUTE, until: T0 + 60 * MINUTE, count: 60, ran: false },
        { from: T0 + 61 * MINUTE, until: T0 + 61 * MINUTE, count: 1, ran: true },
        { from: T0 + 62 * MINUTE, until: T0 + 62 * MINUTE, count: 1, ran: false },
      ]);
      expect((await claims.ahead('other', now)).size).toBe(0);
    }));

  // proves: firing.clock.back
  it('are listed for a trigger that was disabled since, also when retention removed its rows', () =>
    withStore(async ({ claims, runs, retention }) => {
      await claims.arm([arming(T0)]);
      const [verdict] = await claims.claim([slot(T0 + 60 * MINUTE)]);
      await claims.disarm([key]);
      const now = T0 + 5 * MINUTE;
      expect((await claims.ahead('demo', now)).get(ID)).toMatchObject([{ ran: true }]);
      expect((await claims.ahead('demo', T0 + 60 * MINUTE)).size).toBe(0);
      if (verdict?.won) await runs.endUnstarted(verdict.runId, 'failed', 'No.', T0);
      const rule = { runs: 0, since: null, keepsFailure: false, now: T0 + 61 * MINUTE };
      await retention.prune(key, rule, await retention.place(key, rule), 10);
      expect((await claims.ahead('demo', now)).get(ID)).toMatchObject([{ runId: null, ran: true }]);
      expect((await claims.ahead('demo', T0 + 60 * MINUTE)).size).toBe(0);
    }));

  it('are taken back with the cursor and put on record, together; those that ran stay', () =>
    withStore(async ({ claims, runs, changes }) => {
      await claims.arm([arming(T0)]);
      const now = T0 + 5 * MINUTE;
      await claims.claim([missed(T0 + MINUTE, T0 + 60 * MINUTE, 60), slot(T0 + 61 * MINUTE)]);
      const [range, ran] = (await claims.ahead('demo', now)).get(ID) ?? [];
      if (range === undefined) throw new Error('not found');
      await claims.takeBack([takingBack(now, [{ slots: range, kept: { until: now, count: 5 } }])]);
      const { runs: rows } = await runs.list('demo', { limit: 10 });
      expect(rows.map(({ scheduledUntil, slotCount }) => [scheduledUntil, slotCount])).toEqual([
        ['2026-03-01T10:01:00.000Z', 1],
        ['2026-03-01T09:05:00.000Z', 5],
      ]);
      expect((await claims.loadProject('demo')).get(ID)?.cursor).toBe(now);
      expect(await changes.of(key)).toMatchObject([
        { kind: 'clock_set_back', at: '2026-03-01T09:05:00.000Z', by: null, reason: 'Why.' },
      ]);
      const later = await claims.claim([slot(now + MINUTE), slot(T0 + 61 * MINUTE)]);
      expect(later.map(({ won }) => won)).toEqual([true, false]);
      // The cursor lies before what ran, so it is still listed when the clock has passed it.
      await claims.arm([arming(T0 + 10 * MINUTE)]);
      expect((await claims.ahead('demo', T0 + 90 * MINUTE)).get(ID)).toEqual([ran]);
    }));

  it('are counted no longer where they come round again', () =>
    withStore(async ({ claims, alerts }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([missed(T0 + MINUTE, T0 + 40 * MINUTE, 40), slot(T0 + 41 * MINUTE)]);
      await claims.claim([missed(T0 + 42 * MINUTE, T0 + 61 * MINUTE, 20)]);
      const sums = () => alerts.sums(localDay(T0), localDay(T0 + 2 * 86_400_000));
      expect(await sums()).toMatchObject([{ missed: 60 }]);
      const now = T0 + 5 * MINUTE;
      const [first, , last] = (await claims.ahead('demo', now)).get(ID) ?? [];
      if (first === undefined || last === undefined) throw new Error('not found');
      const cuts = [
        { slots: first, kept: { until: now, count: 5 } },
        { slots: last, kept: null },
      ];
      await claims.takeBack([takingBack(now, cuts)]);
      expect(await sums()).toMatchObject([{ missed: 5 }]);
      await claims.takeBack([takingBack(now, cuts)]);
      expect(await sums()).toMatchObject([{ missed: 5 }]);
    }));

  it('that lie wholly ahead lose their row, and the newest run is another one', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([slot(T0 + MINUTE)]);
      await claims.claim([missed(T0 + 50 * MINUTE, T0 + 60 * MINUTE, 11)]);
      const now = T0 + 5 * MINUTE;
      const [range] = (await claims.ahead('demo', now)).get(ID) ?? [];
      if (range === undefined) throw new Error('not found');
      await claims.takeBack([takingBack(now, [{ slots: range, kept: null }], null)]);
      expect((await runs.list('demo', { limit: 10 })).runs).toHaveLength(1);
      expect((await runs.newest('demo')).get('trigger/nightly')).toMatchObject({
        scheduledFor: '2026-03-01T09:01:00.000Z',
      });
    }));

  it('stay where they have changed since they were read', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([missed(T0 + MINUTE, T0 + 60 * MINUTE, 60)]);
      const now = T0 + 5 * MINUTE;
      const [range] = (await claims.ahead('demo', now)).get(ID) ?? [];
      if (range === undefined) throw new Error('not found');
      const slots = { ...range, count: 59 };
      await claims.takeBack([takingBack(now, [{ slots, kept: null }])]);
      expect((await runs.list('demo', { limit: 10 })).runs).toMatchObject([{ slotCount: 60 }]);
    }));

  it('are forgotten where retention removed them and they did not run', () =>
    withStore(async ({ claims, runs, retention }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([missed(T0 + 2 * MINUTE, T0 + 9 * MINUTE, 8)]);
      const [run] = await claims.claim([slot(T0 + 10 * MINUTE)]);
      if (run?.won) await runs.endUnstarted(run.runId, 'failed', 'No.', T0 + 10 * MINUTE);
      const rule = { runs: 1, since: null, keepsFailure: false, now: T0 + 20 * MINUTE };
      const removed = await retention.prune(key, rule, await retention.place(key, rule), 10);
      expect(removed.runs).toBe(1);
      const now = T0 + 90_000;
      const ahead = (await claims.ahead('demo', now)).get(ID) ?? [];
      expect(ahead).toMatchObject([{ from: T0 + 10 * MINUTE, ran: true }]);
      await claims.arm([arming(now)]);
      const again = await claims.claim([missed(T0 + 2 * MINUTE, T0 + 9 * MINUTE, 8)]);
      expect(again.map(({ won }) => won)).toEqual([true]);
    }));

  it('count as run where retention removed them, until they are opened for another grid', () =>
    withStore(async ({ claims, runs, retention }) => {
      await claims.arm([arming(T0)]);
      for (const n of [1, 2, 3]) {
        const [verdict] = await claims.claim([slot(T0 + n * MINUTE)]);
        if (verdict?.won) await runs.endUnstarted(verdict.runId, 'failed', 'No.', T0 + n * MINUTE);
      }
      const rule = { runs: 1, since: null, keepsFailure: false, now: T0 + 4 * MINUTE };
      await retention.prune(key, rule, await retention.place(key, rule), 10);
      const now = T0 + 30_000;
      const ahead = (await claims.ahead('demo', now)).get(ID) ?? [];
      expect(ahead).toMatchObject([
        { runId: null, from: T0 + MINUTE, until: T0 + MINUTE, ran: true },
        { runId: null, from: T0 + 2 * MINUTE, until: T0 + 2 * MINUTE, ran: true },
        { from: T0 + 3 * MINUTE, ran: true },
      ]);
      await claims.arm([arming(now)]);
      const cuts = ahead.slice(0, 1).map((slots) => ({ slots, kept: null }));
      expect((await claims.claim([slot(T0 + MINUTE)])).map(({ won }) => won)).toEqual([false]);
      await claims.takeBack([takingBack(now, cuts, null)]);
      await claims.arm([arming(now)]);
      expect((await claims.claim([slot(T0 + MINUTE)])).map(({ won }) => won)).toEqual([true]);
    }));
});
