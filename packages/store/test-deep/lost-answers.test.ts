import { describe, expect, it } from '@jest/globals';
import { createFakeClock, type FakeClock } from '@svc/core/testing';
import { openStore, type Store } from '@svc/store';
import { withUrl } from '../test/database.ts';
import { arming, key, opening, slot, T0 } from '../test/harness.ts';
import { startPostgres } from './postgres.mjs';
import { type CutProxy, withProxy } from './proxy.ts';
import { open, withClient } from './several.ts';

const MINUTE = 60_000;
const FLUSH = 'select pg_logical_emit_message';
const answers = [
  ['of the commit', 'commit'],
  ['of the wait for the disk', FLUSH],
] as const;

interface Place {
  /** Whose way to the database is cut. */
  readonly store: Store;
  /** Has a way of its own. */
  readonly other: Store;
  readonly proxy: CutProxy;
  readonly clock: FakeClock;
  readonly url: string;
}

async function withCut(url: string, test: (place: Place) => Promise<void>): Promise<void> {
  await withProxy(url, async (proxy) => {
    const clock = createFakeClock(T0);
    const store = await openStore({ clock }, { url: proxy.url, version: '1' });
    const other = await open(url);
    try {
      await test({ store, other, proxy, clock, url });
    } finally {
      await Promise.all([store.close(), other.close()]);
    }
  });
}

const onServer = (test: (place: Place) => Promise<void>) => withUrl((url) => withCut(url, test));

/** Waits for something that waits for time. */
async function inTime<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  while (!isDone) {
    await clock.advance(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

describe.each(answers)('what is written where the answer %s is lost', (_name, statement) => {
  // proves: nodes.lost-answer
  it('wins a slot once, and its run is known', () =>
    onServer(async ({ store, other, proxy }) => {
      await store.claims.arm([arming(T0)]);
      const cut = proxy.cut({ statement, isHeard: true });
      const [verdict] = await store.claims.claim([slot(T0 + MINUTE)]);
      await cut;
      const { runs } = await other.runs.list('demo', { limit: 5 });
      expect(runs).toHaveLength(1);
      expect(verdict).toEqual({ won: true, runId: runs[0]?.id });
      expect(await store.claims.claim([slot(T0 + MINUTE)])).toEqual([{ won: false }]);
    }));

  // proves: nodes.lost-answer
  it('starts a turn, and says so', () =>
    onServer(async ({ store, proxy }) => {
      const { turnId, ...begun } = opening();
      await store.turns.open({ turnId, ...begun });
      const cut = proxy.cut({ statement, isHeard: true });
      expect(await store.turns.start(turnId, T0, T0 + MINUTE, store.nodeId)).toBe(true);
      await cut;
    }));

  // proves: nodes.lost-answer
  it('adds a message once', () =>
    onServer(async ({ store, other, proxy }) => {
      const { turnId, sessionId, ...begun } = opening({ messages: [] });
      await store.turns.open({ turnId, sessionId, ...begun });
      const said = { role: 'assistant', kind: 'text', text: 'Done.', tool: null } as const;
      const cut = proxy.cut({ statement, isHeard: true });
      await store.turns.append(turnId, sessionId, [said], T0);
      await cut;
      const page = await other.chats.messages(sessionId, { limit: 5 });
      expect(page?.messages.map(({ text }) => text)).toEqual(['Done.']);
    }));

  // proves: nodes.lost-answer
  it('is on the disk of the server when it is answered', () =>
    onServer(async ({ store, proxy, url }) => {
      await withClient(url, async (client) => {
        const placeOf = async (of: string): Promise<number> => {
          const { rows } = await client.query(`select pg_wal_lsn_diff(${of}(), '0/0') as place`);
          return Number(rows[0]?.place);
        };
        const before = await placeOf('pg_current_wal_insert_lsn');
        const cut = proxy.cut({ statement, isHeard: true });
        await store.turns.open(opening());
        const onDisk = await placeOf('pg_current_wal_flush_lsn');
        // A turn takes a kilobyte there.
        expect(onDisk - before).toBeGreaterThan(500);
        await cut;
      });
    }));

  it('is known once a server answers that was away', () =>
    onServer(async ({ store, other, proxy, clock }) => {
      const before = async () => {
        proxy.isOpen = false;
      };
      const cut = proxy.cut({ statement, isHeard: true, before });
      const begun = opening();
      const opened = store.turns.open(begun);
      await cut;
      let isSettled = false;
      const settled = opened.finally(() => {
        isSettled = true;
      });
      while (proxy.refused < 5) {
        await clock.advance(50);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(isSettled).toBe(false);
      // Others do not wait for it.
      await other.turns.open(opening());
      proxy.isOpen = true;
      expect(await inTime(clock, settled)).toBe(true);
      expect(await other.turns.get(begun.turnId)).not.toBeNull();
    }));

  it('is given up where the store is closed while the server is away', () =>
    onServer(async ({ proxy }) => {
      const store = await open(proxy.url);
      const before = async () => {
        proxy.isOpen = false;
      };
      const cut = proxy.cut({ statement, isHeard: true, before });
      const opened = store.turns.open(opening()).catch((error: unknown) => error);
      await cut;
      await store.close();
      expect(await opened).toMatchObject({ code: 'unavailable' });
    }));
});

describe('what is to be written where the server hears nothing of the commit', () => {
  // proves: nodes.lost-answer
  it('fails, and nothing of it is there', () =>
    onServer(async ({ store, other, proxy, clock, url }) => {
      await store.claims.arm([arming(T0)]);
      // Its connection stays open on the server until then, so the outcome is not known yet.
      const cut = proxy.cut({ statement: 'commit', isHeard: false });
      const claim = store.claims.claim([slot(T0 + MINUTE)]).catch((error: unknown) => error);
      await cut;
      let isSettled = false;
      const settled = claim.finally(() => {
        isSettled = true;
      });
      await withClient(url, async (client) => {
        const stuck = `state = 'idle in transaction' and datname = current_database()`;
        for (let n = 0; n < 20; n += 1) await clock.advance(250);
        expect(isSettled).toBe(false);
        await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${stuck}`);
      });
      expect(await inTime(clock, settled)).toMatchObject({ code: 'unavailable' });
      expect((await other.runs.list('demo', { limit: 5 })).runs).toEqual([]);
      expect((await other.claims.loadProject('demo')).get('demo/trigger/nightly')?.cursor).toBe(T0);
      expect(await store.claims.claim([slot(T0 + MINUTE)])).toMatchObject([{ won: true }]);
      expect(await store.runs.list(key.project, { limit: 5 })).toMatchObject({ runs: [{}] });
    }));
});

describe('what a server has answered and lost in a crash', () => {
  // proves: nodes.lost-answer
  it('fails, though its number was given to another transaction', async () => {
    const server = await startPostgres({ isOwn: true });
    const { url } = server;
    try {
      await (await open(url)).close();
      await withProxy(url, async (proxy) => {
        const clock = createFakeClock(T0);
        const store = await openStore({ clock }, { url: proxy.url, version: '1' });
        await withClient(url, (client) => client.query('checkpoint').then(() => {}));
        const begun = opening();
        const cut = proxy.cut({ statement: 'commit', isHeard: true, before: () => crash(url) });
        const opened = store.turns.open(begun).catch((error: unknown) => error);
        await cut;
        expect(await inTime(clock, opened)).toMatchObject({ code: 'unavailable' });
        expect(await store.turns.get(begun.turnId)).toBeNull();
        await store.close();
      });
    } finally {
      await server.close();
    }
  });
});

/** Ends a server as a crash does, and has it give some numbers to transactions when it is back. */
async function crash(url: string): Promise<void> {
  let next = '';
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number; next: string }>(
      'select pg_backend_pid() as pid, pg_snapshot_xmax(pg_current_snapshot())::text as next',
    );
    next = rows[0]?.next ?? '';
    const ended = new Promise((resolve) => client.on('error', () => {}).once('end', resolve));
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await ended;
  });
  while (!(await numberAfter(url, next).catch(() => false)));
}

/** Has a server give a number to a transaction; whether those before `next` are all given then. */
async function numberAfter(url: string, next: string): Promise<boolean> {
  let given = '';
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id');
    given = rows[0]?.id ?? '';
  });
  return BigInt(given) >= BigInt(next);
}
