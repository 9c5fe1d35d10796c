import { describe, expect, it } from '@jest/globals';
import type { SlotVerdict } from '@svc/records';
import { arming, key, missed, slot, T0, withStore } from './harness.ts';

const MINUTE = 60_000;
const won = (verdicts: readonly SlotVerdict[]) => verdicts.map((verdict) => verdict.won);

describe('claiming slots', () => {
  // proves: firing.slot.exactly-once
  it('gives one slot to one claim, however often it is claimed', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      const both = await Promise.all([
        claims.claim([slot(T0 + MINUTE)]),
        claims.claim([slot(T0 + MINUTE)]),
      ]);
      expect(both.flatMap(won).sort()).toEqual([false, true]);
      expect((await runs.list('demo', { limit: 10 })).runs).toHaveLength(1);
    }));

  it('refuses a slot that has a row although the cursor was set back', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([slot(T0 + MINUTE)]);
      await claims.arm([arming(T0)]);
      expect(won(await claims.claim([slot(T0 + MINUTE)]))).toEqual([false]);
      expect((await runs.list('demo', { limit: 10 })).runs).toHaveLength(1);
    }));

  it('refuses slots at or before the cursor, and everything of a trigger that is not armed', () =>
    withStore(async ({ claims }) => {
      expect(won(await claims.claim([slot(T0 + MINUTE)]))).toEqual([false]);
      await claims.arm([arming(T0)]);
      expect(won(await claims.claim([slot(T0)]))).toEqual([false]);
      await claims.claim([slot(T0 + 2 * MINUTE)]);
      expect(won(await claims.claim([slot(T0 + MINUTE)]))).toEqual([false]);
    }));

  // proves: nodes.edited-schedule
  it('refuses slots of a schedule that is not the one that is armed, and of it takes the next', () =>
    withStore(async ({ claims, runs }) => {
      const keys = ['a', 'b', 'c'].map((name) => ({ ...key, name }));
      await claims.arm(keys.map((of) => arming(T0, of)));
      const edited = (of: typeof key) => {
        const { cursor, ...rest } = arming(T0, of);
        return { ...rest, cursor: { ...cursor, scheduleHash: 'h2' } };
      };
      const [a, b, c] = keys as [typeof key, typeof key, typeof key];
      await claims.arm([edited(a), edited(b)]);
      await claims.disarm([c]);
      const stale = keys.map((of) => slot(T0 + MINUTE, { key: of }));
      expect(won(await claims.claim(stale))).toEqual([false, false, false]);
      for (const one of stale) expect(won(await claims.claim([one]))).toEqual([false]);
      const passed = { ...missed(T0 + MINUTE, T0 + 2 * MINUTE, 2), key: a };
      expect(won(await claims.claim([passed]))).toEqual([false]);
      expect((await runs.list('demo', { limit: 9 })).runs).toEqual([]);
      expect((await claims.loadProject('demo')).get('demo/trigger/a')).toEqual(edited(a).cursor);
      const scheduleHash = 'h2';
      const next = keys.map((of) => slot(T0 + MINUTE, { key: of, scheduleHash }));
      expect(won(await claims.claim(next))).toEqual([true, true, false]);
      const then = slot(T0 + 2 * MINUTE, { key: a, scheduleHash });
      expect(won(await claims.claim([then]))).toEqual([true]);
    }));

  it('writes the slot, its lateness and the cursor', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      const [verdict] = await claims.claim([slot(T0 + MINUTE, { catchUp: true })]);
      const run = verdict?.won ? await runs.get('demo', verdict.runId) : null;
      expect(run).toMatchObject({
        scheduledFor: '2026-03-01T09:01:00.000Z',
        scheduledUntil: '2026-03-01T09:01:00.000Z',
        slotCount: 1,
        lateMs: 5,
        state: 'queued',
        outcome: null,
        catchUp: true,
        by: null,
      });
      const cursor = (await claims.loadProject('demo')).get('demo/trigger/nightly');
      expect(cursor).toEqual({
        scheduleHash: 'h1',
        anchor: T0,
        armedSince: T0,
        cursor: T0 + MINUTE,
      });
    }));

  it('lets consecutive missed slots share one row, and a run between them part it', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([missed(T0 + MINUTE, T0 + 3 * MINUTE, 3)]);
      await claims.claim([missed(T0 + 4 * MINUTE, T0 + 4 * MINUTE, 1)]);
      await claims.claim([slot(T0 + 5 * MINUTE), missed(T0 + 6 * MINUTE, T0 + 6 * MINUTE, 1)]);
      const rows = (await runs.list('demo', { limit: 10 })).runs.reverse();
      expect(rows.map((row) => [row.outcome, row.slotCount])).toEqual([
        ['missed', 4],
        [null, 1],
        ['missed', 1],
      ]);
      expect(rows[0]?.scheduledUntil).toBe('2026-03-01T09:04:00.000Z');
    }));

  it('does not join missed slots across a new arming', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([missed(T0 + MINUTE, T0 + MINUTE, 1)]);
      await claims.arm([arming(T0 + 10 * MINUTE)]);
      await claims.claim([missed(T0 + 11 * MINUTE, T0 + 11 * MINUTE, 1)]);
      expect((await runs.list('demo', { limit: 10 })).runs).toHaveLength(2);
    }));

  it('shares a row between consecutive skipped slots', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      for (const minutes of [1, 2, 3]) {
        const [verdict] = await claims.claim([slot(T0 + minutes * MINUTE)]);
        if (!verdict?.won) throw new Error('lost');
        await runs.endUnstarted(verdict.runId, 'skipped_overlap', 'Still running.', T0);
      }
      const rows = (await runs.list('demo', { limit: 10 })).runs;
      expect(rows.map((row) => [row.outcome, row.slotCount, row.scheduledUntil])).toEqual([
        ['skipped_overlap', 3, '2026-03-01T09:03:00.000Z'],
      ]);
      expect((await runs.newest('demo')).get('trigger/nightly')?.slotCount).toBe(3);
    }));

  // proves: firing.clock.back
  it('joins no skipped slots across those that are still to come, as the clock was set back', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      const verdicts = await claims.claim([1, 2, 3].map((n) => slot(T0 + n * MINUTE)));
      const [first, between, last] = verdicts.map((one) => (one.won ? one.runId : ''));
      const skip = (id = '') => runs.endUnstarted(id, 'skipped_paused', 'Paused.', T0);
      await skip(between);
      const now = T0 + 30_000;
      const cuts = ((await claims.ahead('demo', now)).get('demo/trigger/nightly') ?? [])
        .filter(({ ran }) => !ran)
        .map((slots) => ({ slots, kept: null }));
      expect(cuts).toHaveLength(1);
      const decidedUntil = T0 + 3 * MINUTE;
      await claims.takeBack([{ key, now, cuts, decidedUntil, reason: null }]);
      await skip(first);
      await skip(last);
      const rows = (await runs.list('demo', { limit: 10 })).runs;
      expect(rows.map(({ scheduledUntil, slotCount }) => [scheduledUntil, slotCount])).toEqual([
        ['2026-03-01T09:03:00.000Z', 1],
        ['2026-03-01T09:01:00.000Z', 1],
      ]);
    }));

  it('arms thousands at once, again with other values, and disarms just those that are named', () =>
    withStore(async ({ claims }) => {
      const keys = Array.from({ length: 10_000 }, (_, n) => ({ ...key, name: `t${n}` }));
      await claims.arm(keys.map((one) => ({ ...arming(T0), key: one })));
      await claims.arm(keys.slice(0, 2).map((one) => ({ ...arming(T0 + MINUTE), key: one })));
      const armed = await claims.loadProject(key.project);
      expect([armed.size, armed.get('demo/trigger/t1'), armed.get('demo/trigger/t2')]).toEqual([
        10_000,
        arming(T0 + MINUTE).cursor,
        arming(T0).cursor,
      ]);
      await claims.disarm(keys.slice(0, 9999));
      expect([...(await claims.loadProject(key.project)).keys()]).toEqual(['demo/trigger/t9999']);
    }));

  it('forgets the schedule of a disarmed trigger and keeps its runs', () =>
    withStore(async ({ claims, runs }) => {
      await claims.arm([arming(T0)]);
      await claims.claim([slot(T0 + MINUTE)]);
      await claims.disarm([key]);
      expect((await claims.loadProject('demo')).size).toBe(0);
      expect((await runs.newest('demo')).size).toBe(1);
    }));

  it('decides many slots of different triggers together, each by the same rules', () =>
    withStore(async ({ claims, runs }) => {
      const keys = ['a', 'b', 'c', 'd'].map((name) => ({ ...key, name }));
      const [a, b, c, d] = keys as [typeof key, typeof key, typeof key, typeof key];
      await claims.arm([a, b, c].map((of) => arming(T0, of)));
      await claims.claim([slot(T0 + MINUTE, { key: b })]);
      await claims.claim([slot(T0 + 2 * MINUTE, { key: c })]);
      await claims.arm([arming(T0, c)]);
      const batch = [a, b, c, d].map((of) => slot(T0 + MINUTE, { key: of, catchUp: of === a }));
      const verdicts = await claims.claim([
        ...batch.slice(0, 2),
        slot(T0 + 2 * MINUTE, { key: c }),
        ...batch.slice(3),
      ]);
      expect(won(verdicts)).toEqual([true, false, false, false]);
      const run = verdicts[0]?.won ? await runs.get('demo', verdicts[0].runId) : null;
      expect(run).toMatchObject({
        trigger: 'a',
        cause: 'schedule',
        scheduledFor: '2026-03-01T09:01:00.000Z',
        scheduledUntil: '2026-03-01T09:01:00.000Z',
        slotCount: 1,
        lateMs: 5,
        state: 'queued',
        outcome: null,
        catchUp: true,
        turns: 0,
        denied: [],
      });
      expect((await runs.newest('demo')).get('trigger/a')?.id).toBe(run?.id);
      expect((await claims.loadProject('demo')).get('demo/trigger/a')?.cursor).toBe(T0 + MINUTE);
    }));

  it('refuses slots behind the cursor when many are decided together, though no run has them', () =>
    withStore(async ({ claims, runs }) => {
      const keys = ['a', 'b'].map((name) => ({ ...key, name }));
      await claims.arm(keys.map((of) => arming(T0 + 5 * MINUTE, of)));
      const early = keys.map((of) => slot(T0 + MINUTE, { key: of }));
      expect(won(await claims.claim(early))).toEqual([false, false]);
      expect((await runs.list('demo', { limit: 9 })).runs).toEqual([]);
    }));

  it('takes names that are special elsewhere', () =>
    withStore(async ({ claims }) => {
      for (const name of ['constructor', 'toString', 'a..b', "o'brien", '1 @ 2']) {
        const odd = { ...key, name };
        await claims.arm([arming(T0, odd)]);
        expect(won(await claims.claim([slot(T0 + MINUTE, { key: odd })]))).toEqual([true]);
      }
    }));
});
