import { describe, expect, it } from '@jest/globals';
import { isoTime, newId } from '@svc/core';
import type { RunOutcome } from '@svc/records';
import type { Store } from '@svc/store';
import { arming, ending, key, missed, opening, slot, T0, withStore } from './harness.ts';
import { fire, NOW, prune, rule } from './old-runs.ts';

const kept = async (store: Store) =>
  (await store.runs.list('demo', { limit: 100 })).runs
    .map(({ scheduledFor }) => (Date.parse(scheduledFor ?? '') - T0) / 1000)
    .reverse();

async function fireMany(store: Store, outcomes: readonly RunOutcome[]) {
  await store.claims.arm([arming(T0 - 1)]);
  const fired = [];
  for (const [n, outcome] of outcomes.entries())
    fired.push(await fire(store, T0 + n * 1000, { outcome }));
  return fired;
}

const OK = 'succeeded' as const;

describe('old runs', () => {
  it('part missed slots around them, also once they are gone', () =>
    withStore(async (store) => {
      await fireMany(store, []);
      await fire(store, T0 + 3000);
      await prune(store, rule({ runs: 0 }));
      await store.claims.arm([arming(T0 - 1)]);
      await store.claims.claim([missed(T0 + 1000, T0 + 2000, 2)]);
      await store.claims.claim([missed(T0 + 4000, T0 + 5000, 2)]);
      expect(await kept(store)).toEqual([1, 4]);
    }));

  // proves: retention.runs, retention.newest-failure
  it('go beyond the newest ones of their trigger, with their transcripts; the newest failure stays', () =>
    withStore(async (store) => {
      const fired = await fireMany(store, ['failed', 'failed', OK, OK, OK, OK]);
      expect(await prune(store, rule())).toEqual({ runs: 3, chats: 3, messages: 3 });
      expect(await kept(store)).toEqual([1, 4, 5]);
      expect(await store.chats.get(fired[0]?.sessionId ?? '')).toBeNull();
      expect(await store.chats.get(fired[1]?.sessionId ?? '')).not.toBeNull();
      expect(await store.turns.get(fired[2]?.turnId ?? '')).toBeNull();
      expect(await store.retention.pruned('demo', 'nightly')).toEqual({
        count: 3,
        until: isoTime(T0 + 3005),
      });
      expect(await store.retention.pruned('demo', 'other')).toBeNull();
    }));

  // proves: retention.runs, retention.newest-failure
  it('are those of now, however many a clock that was ahead has left for later', () =>
    withStore(async (store) => {
      await fireMany(store, ['failed', 'failed', OK, OK, OK, OK]);
      const hour = 3_600_000;
      for (const n of [1, 2, 3]) await fire(store, T0 + n * hour, { outcome: 'failed' });
      await prune(store, rule({ now: T0 + 60_000 }));
      expect(await kept(store)).toEqual([1, 4, 5, 3600, 7200, 10_800]);
      await prune(store, rule({ now: T0 + 4 * hour }));
      expect(await kept(store)).toEqual([7200, 10_800]);
    }));

  // proves: retention.age
  it('go by their age, however few they are, and null keeps all', () =>
    withStore(async (store) => {
      await fireMany(store, [OK, 'failed', OK]);
      const ids = (await store.runs.list('demo', { limit: 9 })).runs.map(({ id }) => id);
      expect(await prune(store, rule({ runs: null }))).toMatchObject({ runs: 0 });
      // Ids are of the machine's clock, by which these runs were made just now.
      const since = Date.now() + 60_000;
      expect(await prune(store, rule({ runs: null, since }))).toMatchObject({ runs: 2 });
      expect(await kept(store)).toEqual([1]);
      expect((await store.runs.newest('demo')).size).toBe(0);
      expect(await prune(store, rule({ runs: null, since, keepsFailure: false }))).toMatchObject({
        runs: 1,
      });
      expect(await store.runs.get('demo', ids[0] ?? '')).toBeNull();
    }));

  // proves: retention.open
  it('stay while they run or wait, while their slot is still to come, and while something needs them', () =>
    withStore(async (store) => {
      const [, archived, parent] = await fireMany(store, [OK, OK, OK, OK]);
      await store.chats.archive(archived?.sessionId ?? '', { kind: 'user', id: null }, T0, null);
      await store.turns.open(opening({ parentTurn: parent?.turnId ?? '' }));
      await store.claims.claim([slot(T0 + 5000)]);
      await fire(store, NOW + 5000);
      expect(await prune(store, rule({ runs: 1 }))).toMatchObject({ runs: 1 });
      expect(await kept(store)).toEqual([1, 2, 3, 5, 86_405]);
    }));

  // proves: retention.unsent
  it('stay until alerts have reported them, if alerts are enabled', () =>
    withStore(async (store) => {
      await store.alerts.follow(true);
      await fireMany(store, [OK, OK, OK]);
      expect(await prune(store, rule({ runs: 1 }))).toMatchObject({ runs: 0 });
      await store.alerts.follow(false);
      expect(await prune(store, rule({ runs: 1 }))).toMatchObject({ runs: 2 });
    }));

  // proves: retention.words
  it('leave a chat that a user has written to as it is', () =>
    withStore(async (store) => {
      const [first] = await fireMany(store, [OK, OK, OK]);
      const sessionId = first?.sessionId ?? '';
      await store.turns.open(
        opening({
          sessionId,
          chat: null,
          messages: [{ role: 'user', kind: 'text', text: 'Why?', tool: null, by: 'user' }],
        }),
      );
      expect(await prune(store, rule({ runs: 1 }))).toEqual({ runs: 2, chats: 1, messages: 1 });
      const { messages } = await store.chats.messages(sessionId, { limit: 9 });
      expect(messages.map(({ text }) => text)).toEqual(['Do it.', 'Why?']);
    }));

  it('leave a copy of their chat complete, with the history that its agent is given', () =>
    withStore(async (store) => {
      const [first] = await fireMany(store, [OK, OK, OK]);
      const { chat, sessionId } = opening();
      await store.chats.fork(
        first?.sessionId ?? '',
        { ...chat, sessionId, origin: 'fork' } as never,
        T0 + 60_000,
      );
      await prune(store, rule({ runs: 1 }));
      expect(await store.chats.history(sessionId, 1e6)).toMatchObject([
        { text: 'Do it.', turnId: first?.turnId },
      ]);
    }));

  // proves: retention.resumed
  it('take their part of a chat that their trigger continues', () =>
    withStore(async (store) => {
      await store.claims.arm([arming(T0 - 1)]);
      const { sessionId } = await fire(store, T0);
      await store.turns.open(
        opening({
          owner: key,
          run: { fresh: { id: newId(), key, cause: 'manual', by: null, claimedAt: T0 } },
          sessionId,
          chat: null,
        }),
      );
      const [waiting] = await store.turns.queued();
      await store.turns.end(waiting?.id ?? '', ending, T0 + 20);
      await fire(store, T0 + 1000, { sessionId, text: 'Again.' });
      expect(await prune(store, rule({ runs: 1 }))).toEqual({ runs: 2, chats: 0, messages: 2 });
      const { messages, next } = await store.chats.messages(sessionId, { limit: 1 });
      expect([messages.map(({ seq, text }) => [seq, text]), next]).toEqual([[[3, 'Again.']], null]);
      expect((await store.chats.get(sessionId))?.chat).toMatchObject({
        messageCount: 1,
        prunedMessages: 2,
      });
      await fire(store, T0 + 2000, { sessionId });
      expect(
        (await store.chats.messages(sessionId, { limit: 9 })).messages.map(({ seq }) => seq),
      ).toEqual([3, 4]);
    }));

  // proves: retention.counts
  it('stay in what was used and in what was fired on their day', () =>
    withStore(async (store) => {
      await fireMany(store, [OK, 'failed', OK, OK]);
      const days = ['2026-02-01', '2026-03-01'] as const;
      const before = await store.usage.byDay('demo', days[0]);
      await prune(store, rule({ runs: 1 }));
      expect(await store.usage.byDay('demo', days[0])).toEqual(before);
      const daily = { day: days[1], ofTrigger: 2, ofAll: null };
      const again = (id: string) =>
        opening({ daily, run: { fresh: { id, key, cause: 'manual', by: null, claimedAt: T0 } } });
      await store.turns.open(again(newId()));
      const second = again(newId());
      await store.turns.open(second);
      await store.turns.end(second.turnId, ending, T0);
      await prune(store, rule({ runs: 1 }));
      await expect(store.turns.open(again(newId()))).rejects.toMatchObject({ code: 'limit_spent' });
    }));
});

/** Numbers that look random, the same for each seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const MINUTE = 60_000;
const STEPS = [-40, -7, -3, 2, 5, 500].map((minutes) => minutes * MINUTE);

/** A trigger whose clock does what it likes; what it fires is noted. */
function createHistory(store: Store, seed: number) {
  const random = randomOf(seed);
  const fired: number[] = [];
  let now = T0;
  let cursor = T0;
  const arm = async () => {
    cursor = now;
    await store.claims.arm([arming(now)]);
  };
  const claim = async (at: number) => {
    const other = slot(at, { key: { ...key, name: 'beside' } });
    const [verdict] = await store.claims.claim(random(2) === 0 ? [slot(at)] : [slot(at), other]);
    if (!verdict?.won) return;
    fired.push(at);
    if (random(8) === 0) return;
    await store.runs.endUnstarted(verdict.runId, 'cancelled', 'Enough.', now);
  };
  const act = async (what: number) => {
    if (what < 4) now += random(6) * MINUTE;
    else if (what < 6) {
      await prune(store, rule({ runs: 1 + random(3), now }), key, 1 + random(5));
    } else if (what < 8) {
      now += STEPS[random(STEPS.length)] ?? 0;
      // After a clock was set back, and when a trigger is armed again, slots begin here.
      await arm();
    }
  };
  return {
    fired,
    arm,
    async step() {
      await act(random(10));
      while (cursor + MINUTE <= now) {
        cursor = (Math.floor(cursor / MINUTE) + 1) * MINUTE;
        await claim(cursor);
      }
    },
  };
}

describe('a slot', () => {
  // proves: retention.fires-once
  it.each(Array.from({ length: 12 }, (_, n) => n + 1))(
    'is never fired again after its run was removed, whatever the clock does (history %i)',
    (seed) =>
      withStore(async (store) => {
        const history = createHistory(store, seed);
        await history.arm();
        for (let step = 0; step < 60; step += 1) await history.step();
        expect((await store.retention.pruned('demo'))?.count).toBeGreaterThan(5);
        expect(new Set(history.fired).size).toBe(history.fired.length);
      }),
  );

  // proves: retention.fires-once
  it('that is still to come is fired although a clock that was ahead has fired later ones', () =>
    withStore(async (store) => {
      await fireMany(
        store,
        Array.from({ length: 30 }, () => OK),
      );
      const years = 4 * 365 * 86_400_000;
      for (let n = 0; n < 30; n += 1) await fire(store, T0 + years + n * 1000);
      await prune(store, rule({ runs: 1, now: T0 + years + 60_000 }));
      await store.claims.arm([arming(T0 + 60_000)]);
      expect(await store.claims.claim([slot(T0 + 120_000)])).toMatchObject([{ won: true }]);
      expect(await store.claims.claim([slot(T0 + years)])).toEqual([{ won: false }]);
    }));

  // proves: retention.fires-once
  it('that is still to come is fired although days lay between those of before', () =>
    withStore(async (store) => {
      const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
      await store.claims.arm([arming(T0 - 31 * day)]);
      for (let n = 30; n > 0; n -= 1) await fire(store, T0 - n * day);
      for (let n = 0; n < 10; n += 1) await fire(store, T0 + n * minute);
      for (let n = 0; n < 30; n += 1) await fire(store, T0 + hour + n * minute);
      await prune(store, rule({ runs: 1, now: T0 + 2 * hour }));
      await store.claims.arm([arming(T0 + 10 * minute)]);
      expect(await store.claims.claim([slot(T0 + hour / 2)])).toMatchObject([{ won: true }]);
      for (const ran of [T0 - 3 * day, T0 + minute, T0 + hour + minute]) {
        await store.claims.arm([arming(T0 - 31 * day)]);
        expect(await store.claims.claim([slot(ran)])).toEqual([{ won: false }]);
      }
    }));
});
