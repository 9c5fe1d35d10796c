import { describe, expect, it } from '@jest/globals';
import { newId, silentLogger } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import {
  createSharedTurnQueue,
  type HeardSignal,
  type Signal,
  type Store,
  type TurnQueue,
} from '@svc/store';
import { ending, opening, T0, withStore } from './harness.ts';

/** Signals between queues of one test, as processes have them. */
function createBus() {
  const followers = new Map<string, Set<(signal: HeardSignal) => void>>();
  const of = (id: string): Store['signals'] => ({
    send(signal) {
      for (const [other, all] of followers) if (other !== id) for (const on of all) on(signal);
    },
    subscribe(on) {
      const all = followers.get(id) ?? new Set();
      followers.set(id, all.add(on));
      return () => void all.delete(on);
    },
  });
  return { of };
}

const stops = {
  encode: (reason: unknown): Signal => ({ reason: String(reason) }),
  decode: ({ reason }: Signal): unknown => reason,
  requestedBy: (by: string | null): unknown => `asked by ${by}`,
};

interface Node {
  readonly queue: TurnQueue;
  readonly ran: string[];
  readonly reasons: Map<string, unknown>;
  finish(id: string): void;
}

interface Cluster {
  readonly store: Store;
  readonly clock: ReturnType<typeof createFakeClock>;
  node(concurrent?: number, perProject?: number): Node;
  /** Opens a turn, and tells a queue of it. */
  add(node: Node, project?: string, sessionId?: string): Promise<string>;
  /** Resolves once it is true; looked at whenever the database has answered. */
  until(what: () => boolean): Promise<void>;
  /** The same while time goes by: a look that is under way may not see it yet. */
  looked(what: () => boolean): Promise<void>;
}

function withCluster(test: (cluster: Cluster) => Promise<void>): Promise<void> {
  return withStore(async (store) => {
    const clock = createFakeClock(T0);
    const bus = createBus();
    const queues: TurnQueue[] = [];
    const sessions = new Set<string>();
    const node = (concurrent = 4, perProject = 2): Node => {
      const id = newId();
      const own = { turns: store.turns, signals: bus.of(id), nodeId: id };
      const deps = { clock, logger: silentLogger, store: own, stops };
      const queue = createSharedTurnQueue(deps, { concurrent, perProject });
      queues.push(queue);
      const [ran, reasons, ends]: [string[], Map<string, unknown>, Map<string, () => void>] = [
        [],
        new Map(),
        new Map(),
      ];
      queue.work(async (turn, signal) => {
        ran.push(turn);
        const end = new Promise<void>((resolve) => ends.set(turn, resolve));
        signal.addEventListener('abort', () => {
          reasons.set(turn, signal.reason);
          ends.get(turn)?.();
        });
        expect(await store.turns.start(turn, T0, T0 + 1000, id)).toBe(true);
        await end;
        await store.turns.end(turn, ending, T0);
      });
      return { queue, ran, reasons, finish: (turn) => ends.get(turn)?.() };
    };
    const add = async (on: Node, project = 'a', sessionId?: string): Promise<string> => {
      const isNew = sessionId === undefined || !sessions.has(sessionId);
      const turn = opening({
        project,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(isNew ? {} : { chat: null }),
      });
      sessions.add(turn.sessionId);
      await store.turns.open(turn);
      on.queue.add({ id: turn.turnId, project, sessionId: turn.sessionId });
      return turn.turnId;
    };
    const until = async (what: () => boolean): Promise<void> => {
      for (let n = 0; n < 2000 && !what(); n += 1) await store.turns.waiting();
      expect(what()).toBe(true);
    };
    const looked = async (what: () => boolean): Promise<void> => {
      for (let n = 0; n < 200 && !what(); n += 1) {
        await clock.advance(2000);
        await store.turns.waiting();
      }
      expect(what()).toBe(true);
    };
    await test({ store, clock, node, add, until, looked });
    for (const queue of queues) await queue.close(0, 'over');
    expect(clock.pending).toBe(0);
  });
}

describe('the queue of turns of several processes', () => {
  // proves: nodes.turn-limits
  it('keeps the limit of each process, and that of a project over all of them', () =>
    withCluster(async ({ node, add, until }) => {
      const [one, two] = [node(2, 3), node(2, 3)];
      const a = [];
      for (let n = 0; n < 5; n += 1) a.push(await add(one, 'a'));
      await until(() => one.ran.length + two.ran.length === 3);
      const b = await add(two, 'b');
      await until(() => one.ran.length + two.ran.length === 4);
      expect([one.queue.running, two.queue.running]).toEqual([2, 2]);
      const [first] = a;
      const holder = one.ran.includes(first ?? '') ? one : two;
      holder.finish(first ?? '');
      await until(() => one.ran.length + two.ran.length === 5);
      const all = [...one.ran, ...two.ran];
      expect(new Set(all).size).toBe(5);
      expect(all).toContain(b);
    }));

  it('runs turns of one chat one after the other, whichever process runs them', () =>
    withCluster(async ({ node, add, until }) => {
      const [one, two] = [node(), node()];
      const session = newId();
      const first = await add(one, 'a', session);
      await until(() => one.ran.length + two.ran.length === 1);
      const second = await add(two, 'a', session);
      const other = await add(two, 'b');
      await until(() => one.ran.length + two.ran.length === 2);
      expect([...one.ran, ...two.ran]).toEqual(expect.arrayContaining([first, other]));
      for (const each of [one, two]) each.finish(first);
      await until(() => [...one.ran, ...two.ran].includes(second));
    }));

  // proves: nodes.cancel
  it('takes a waiting turn out and stops a running one, whichever process is asked', () =>
    withCluster(async ({ node, add, until }) => {
      const one = node(1, 1);
      const running = await add(one);
      await until(() => one.ran.length === 1);
      const two = node(1, 1);
      const waiting = await add(one);
      expect(await two.queue.cancel(waiting, 'why')).toBe('removed');
      expect(await two.queue.cancel(running, 'because')).toBe('unknown');
      await until(() => one.reasons.get(running) === 'because');
      expect([...one.ran, ...two.ran]).toEqual([running]);
    }));

  it('finds within seconds the turns that no signal announced', () =>
    withCluster(async ({ store, clock, node, until, looked }) => {
      const one = node();
      await until(() => clock.pending === 1);
      const turn = opening();
      await store.turns.open(turn);
      await looked(() => one.ran.includes(turn.turnId));
    }));

  // proves: nodes.cancel
  it('stops a turn that a user has cancelled, also when no signal announced it', () =>
    withCluster(async ({ store, clock, node, add, until, looked }) => {
      const one = node();
      const running = await add(one);
      await until(() => one.ran.length === 1 && clock.pending === 1);
      await store.turns.requestCancel(running, { kind: 'user', id: null }, T0);
      await looked(() => one.reasons.has(running));
      expect(one.reasons.get(running)).toBe('asked by user');
    }));

  it('has what was taken without its knowledge wait again', () =>
    withCluster(async ({ store, clock, node, add, until, looked }) => {
      let isHeard = true;
      const { take } = store.turns;
      // It is done, and said to have failed: so it looks where a connection breaks at the wrong moment.
      store.turns.take = async (...of) => {
        const taken = await take(...of);
        if (isHeard || taken === null) return taken;
        throw new Error('The connection broke.');
      };
      const one = node();
      await until(() => clock.pending === 1);
      isHeard = false;
      const turn = await add(one);
      await until(() => clock.pending === 1);
      expect(one.ran).toEqual([]);
      isHeard = true;
      await looked(() => one.ran.includes(turn));
      store.turns.take = take;
    }));

  it('leaves to others what waits when it closes', () =>
    withCluster(async ({ node, add, until }) => {
      const one = node(1, 9);
      const running = await add(one);
      await until(() => one.ran.length === 1);
      const waiting = await add(one);
      await one.queue.close(0, 'shutdown');
      expect(one.reasons.get(running)).toBe('shutdown');
      const two = node(1, 9);
      await until(() => two.ran.includes(waiting));
      expect(one.ran).toEqual([running]);
    }));
});
