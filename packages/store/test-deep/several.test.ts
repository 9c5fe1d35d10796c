import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { COMMON } from '../src/database/migrations.ts';
import { withUrl } from '../test/database.ts';
import { arming, ending, key, missed, opening, slot, T0 } from '../test/harness.ts';
import { open, withClient, withStores } from './several.ts';

const MINUTE = 60_000;
const names = Array.from({ length: 40 }, (_, n) => ({ ...key, name: `t${n}` }));
const fresh = (of = key) => ({
  fresh: { id: newId(), key: of, cause: 'manual', by: null, claimedAt: T0 } as const,
});

describe('several stores that open an empty database at once', () => {
  // proves: nodes.migrate-once
  it('make its tables once, and are of one database', () =>
    withUrl(async (url) => {
      const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)));
      expect(new Set(stores.map(({ id }) => id)).size).toBe(1);
      expect(new Set(stores.map(({ nodeId }) => nodeId)).size).toBe(6);
      await Promise.all(stores.map((store) => store.close()));
      await withClient(url, async (client) => {
        const { rows } = await client.query('select name from kysely_migration order by name');
        expect(rows).toEqual(['015_baseline', ...Object.keys(COMMON)].map((name) => ({ name })));
      });
    }));
});

describe('turns that several stores take at once', () => {
  // proves: nodes.turn-limits
  it('are taken once each, and never more of a project than may run in it', () =>
    withStores(3, async (...stores) => {
      const projects = ['a', 'b', 'c'];
      const turns = projects.flatMap((project) =>
        Array.from({ length: 8 }, () => opening({ project })),
      );
      await stores[0]?.turns.openAll(turns);
      const ended = new Set<string>();
      for (;;) {
        const asked = await Promise.all(
          [...stores, ...stores, ...stores].map(async (store) => {
            const ticket = await store.turns.take(store.nodeId, 2);
            return ticket === null ? [] : [{ ...ticket, store }];
          }),
        );
        const taken = asked.flat();
        if (taken.length === 0) break;
        for (const project of projects) {
          expect(taken.filter((ticket) => ticket.project === project).length).toBeLessThan(3);
        }
        for (const { id, store } of taken) {
          expect(ended.has(id)).toBe(false);
          ended.add(id);
          const another = stores.find((each) => each !== store);
          expect(await another?.turns.end(id, ending, T0)).toBeNull();
          expect(await store.turns.end(id, ending, T0)).not.toBeNull();
        }
      }
      expect(ended.size).toBe(turns.length);
    }));
});

describe('what several stores write at once', () => {
  // proves: nodes.slots
  it('gives each slot to one of them, whether they claim many at once or one by one', () =>
    withStores(3, async (...stores) => {
      await stores[0]?.claims.arm(names.map((of) => arming(T0, of)));
      const together = await Promise.all(
        stores.map((store, n) => {
          const batch = names.map((of) => slot(T0 + MINUTE, { key: of }));
          return store.claims.claim(n === 1 ? batch.reverse() : batch);
        }),
      );
      const oneByOne = await Promise.all(
        stores.flatMap((store) =>
          names.map((of) => store.claims.claim([slot(T0 + 2 * MINUTE, { key: of })])),
        ),
      );
      const won = [...together, ...oneByOne].flat().filter((verdict) => verdict.won);
      expect(won).toHaveLength(2 * names.length);
      const { runs } = (await stores[0]?.runs.list('demo', { limit: 500 })) ?? { runs: [] };
      expect(new Set(runs.map(({ id }) => id))).toEqual(
        new Set(won.map((verdict) => (verdict.won ? verdict.runId : ''))),
      );
    }));

  it('joins slots that did not run into one row, which counts each of them', () =>
    withStores(2, async (a, b) => {
      await a?.claims.arm([arming(T0)]);
      for (let n = 1; n <= 20; n += 1) {
        const at = T0 + n * MINUTE;
        await Promise.all([a, b].map((store) => store?.claims.claim([missed(at, at, 1)])));
      }
      const { runs } = (await b?.runs.list('demo', { limit: 10 })) ?? { runs: [] };
      expect(runs.map(({ slotCount }) => slotCount)).toEqual([20]);
    }));

  // proves: nodes.chats
  it('stands in a chat without a gap, each message once and those of one call together', () =>
    withStores(3, async (...stores) => {
      const begun = opening({ messages: [] });
      await stores[0]?.turns.open(begun);
      const { turnId, sessionId } = begun;
      const text = (of: string) =>
        ({ role: 'assistant', kind: 'text', text: of, tool: null }) as const;
      await Promise.all(
        stores.flatMap((store, s) =>
          Array.from({ length: 20 }, (_, n) =>
            store.turns.append(turnId, sessionId, [text(`${s} ${n} a`), text(`${s} ${n} b`)], T0),
          ),
        ),
      );
      const page = await stores[1]?.chats.messages(sessionId, { limit: 500 });
      const messages = page?.messages ?? [];
      expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
      expect(new Set(messages.map((message) => message.text)).size).toBe(120);
      for (let n = 0; n < messages.length; n += 2) {
        expect(messages[n + 1]?.text).toBe(messages[n]?.text.replace(/a$/, 'b'));
      }
    }));

  // proves: nodes.limits-per-day
  it('keeps the limits of a day exactly, of a trigger and of all together', () =>
    withStores(3, async (...stores) => {
      const limited = (of: typeof key, ofTrigger: number | null, ofAll: number | null) =>
        opening({ run: fresh(of), daily: { day: '2026-03-01', ofTrigger, ofAll } });
      const outcomes = async (of: (n: number) => ReturnType<typeof opening>) => {
        const all = stores.flatMap((store) =>
          Array.from({ length: 10 }, (_, n) => store.turns.open(of(n))),
        );
        const done = await Promise.allSettled(all);
        const refused = done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
        for (const error of refused) expect(error).toMatchObject({ code: 'limit_spent' });
        return done.length - refused.length;
      };
      expect(await outcomes(() => limited(key, 7, null))).toBe(7);
      expect(await outcomes((n) => limited(names[n] ?? key, null, 16))).toBe(9);
      expect(await stores[0]?.turns.queued()).toHaveLength(16);
    }));

  it('starts and ends a turn once, and counts its use once', () =>
    withStores(2, async (a, b) => {
      const begun = opening({ run: fresh() });
      await a?.turns.open(begun);
      const started = await Promise.all(
        [a, b].map((store) => store?.turns.start(begun.turnId, T0, T0 + MINUTE, store.nodeId)),
      );
      expect(started.filter(Boolean)).toHaveLength(1);
      const ended = await Promise.all(
        [a, b].map((store) => store?.turns.end(begun.turnId, { ...ending, tokensIn: 3 }, T0)),
      );
      expect(ended.filter((end) => end !== null)).toHaveLength(1);
      const byName = await b?.usage.byName('demo', '2000-01-01');
      expect(byName).toMatchObject([{ name: 'nightly', runs: 1, tokensIn: 3 }]);
    }));

  it('lets one slot of a trigger wait, and no other', () =>
    withStores(2, async (a, b) => {
      await a?.claims.arm([arming(T0)]);
      const ids: string[] = [];
      for (const n of [1, 2]) {
        const [verdict] = (await a?.claims.claim([slot(T0 + n * MINUTE)])) ?? [];
        if (verdict?.won) ids.push(verdict.runId);
      }
      const held = await Promise.all(
        [a, b].map((store, n) => store?.runs.hold(ids[n] ?? '', key, 'One runs.')),
      );
      expect(held.filter(Boolean)).toHaveLength(1);
    }));

  it('keeps a text as long as a row refers to it', () =>
    withStores(2, async (a, b) => {
      await a?.claims.arm([arming(T0)]);
      for (let n = 1; n <= 12; n += 1) {
        const [verdict] = (await a?.claims.claim([slot(T0 + n * MINUTE)])) ?? [];
        if (!verdict?.won) throw new Error('lost');
        const begun = opening({ run: { claimed: verdict.runId } });
        await a?.turns.open(begun);
        await a?.turns.end(begun.turnId, ending, T0 + n * MINUTE);
      }
      const rule = { runs: 0, since: null, keepsFailure: false, now: T0 + 60 * MINUTE };
      const place = await b?.retention.place(key, rule);
      const said = Array.from({ length: 12 }, () => opening());
      const [, ...opened] = await Promise.all([
        place && b?.retention.prune(key, rule, place, 100),
        ...said.map((one) => a?.turns.open(one)),
      ]);
      expect(opened).toEqual(said.map(() => true));
      for (const { sessionId, turnId } of said) {
        expect((await b?.turns.get(turnId))?.prompt).toBe('Do it.');
        const page = await b?.chats.messages(sessionId, { limit: 5 });
        expect(page?.messages.map(({ text }) => text)).toEqual(['Do it.']);
      }
    }));
});

describe('a process that stops in the middle of writing', () => {
  const stuck = async (url: string, begun: readonly ReturnType<typeof opening>[]) => {
    const program = new URL('stuck-writer.mjs', import.meta.url).pathname;
    const child = spawn(process.execPath, [program, url, JSON.stringify(begun)]);
    await once(child.stdout, 'data');
    return child;
  };

  // proves: nodes.stuck
  it.each([
    ['that stays alive delays the others for seconds', false],
    ['that is killed delays no other', true],
  ])('%s, and leaves nothing of what it began', (_name, isKilled) =>
    withUrl(async (url) => {
      const store = await open(url);
      const begun = opening();
      const child = await stuck(url, [begun]);
      try {
        if (isKilled) child.kill('SIGKILL');
        const own = opening();
        await store.turns.open(own);
        expect((await store.turns.queued()).map(({ id }) => id)).toEqual([own.turnId]);
        expect(await store.chats.get(begun.sessionId)).toBeNull();
      } finally {
        child.kill('SIGKILL');
        await store.close();
      }
    }),
  );
});
