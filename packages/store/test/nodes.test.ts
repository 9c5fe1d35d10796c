import { describe, expect, it } from '@jest/globals';
import { isoTime } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { openStore, type Store } from '@svc/store';
import { withPlace } from './database.ts';
import { ending, opening, T0, withStore } from './harness.ts';

const SECOND = 1000;

/** Opens a turn of a project, in a chat of its own. */
async function added(store: Store, project = 'demo'): Promise<string> {
  const turn = opening({ project });
  await store.turns.open(turn);
  return turn.turnId;
}

async function taken(store: Store, perProject: number, node = store.nodeId) {
  return (await store.turns.take(node, perProject))?.id ?? null;
}

describe('turns that are taken', () => {
  // proves: nodes.turn-limits
  it('are never more than may run in a project, until one has ended', () =>
    withStore(async (store) => {
      const ids = [await added(store), await added(store), await added(store)];
      expect([await taken(store, 2), await taken(store, 2), await taken(store, 2)]).toEqual([
        ids[0],
        ids[1],
        null,
      ]);
      await store.turns.start(ids[0] ?? '', T0, T0 + SECOND, store.nodeId);
      expect(await taken(store, 2)).toBeNull();
      await store.turns.end(ids[0] ?? '', ending, T0);
      expect(await taken(store, 2)).toBe(ids[2]);
      expect(await taken(store, 2)).toBeNull();
    }));

  it('come from the project that has the fewest first, the one that waits longest among its own', () =>
    withStore(async (store) => {
      const a = [await added(store, 'a'), await added(store, 'a'), await added(store, 'a')];
      const b = [await added(store, 'b'), await added(store, 'b')];
      const order = [];
      for (let n = 0; n < 5; n += 1) order.push(await taken(store, 9));
      expect(order).toEqual([a[0], b[0], a[1], b[1], a[2]]);
    }));

  it('are one of a chat at a time', () =>
    withStore(async (store) => {
      const first = opening();
      const { sessionId } = first;
      const second = opening({ sessionId, chat: null });
      await store.turns.openAll([first, second]);
      expect([await taken(store, 9), await taken(store, 9)]).toEqual([first.turnId, null]);
      await store.turns.end(first.turnId, ending, T0);
      expect(await taken(store, 9)).toBe(second.turnId);
    }));

  it('are started only by the process that has taken them', () =>
    withStore(async (store) => {
      const id = await added(store);
      await taken(store, 1);
      expect(await store.turns.start(id, T0, T0 + SECOND, 'another')).toBe(false);
      expect(await store.turns.start(id, T0, T0 + SECOND, store.nodeId)).toBe(true);
    }));
});

describe('a process that leaves', () => {
  it('leaves what it had taken and not started to others', () =>
    withPlace(async (place) => {
      const open = () => openStore({ clock: createFakeClock(T0) }, { ...place, version: '1' });
      const before = await open();
      const waited = await added(before);
      await taken(before, 9);
      await before.nodes.leave(T0);
      await before.close();
      const after = await open();
      expect(await taken(after, 9)).toBe(waited);
      await after.close();
    }));
});

describe('a process that uses the database', () => {
  it('is listed with its machine, its last sign of life and what it runs', () =>
    withPlace(async (place) => {
      const options = { ...place, version: '1.2.3', host: 'mill' };
      const store = await openStore({ clock: createFakeClock(T0) }, options);
      const id = await added(store);
      await store.turns.start(id, T0, T0 + SECOND, store.nodeId);
      expect(await store.nodes.beat(T0 + SECOND)).toBe(true);
      expect(await store.nodes.list()).toEqual([
        {
          id: store.nodeId,
          host: 'mill',
          version: '1.2.3',
          startedAt: isoTime(T0),
          heartbeatAt: isoTime(T0 + SECOND),
          isServing: false,
          traits: {},
          running: 1,
        },
      ]);
      const isServing = async () => (await store.nodes.list()).map((node) => node.isServing);
      await store.spans.begin(T0 + SECOND);
      expect(await isServing()).toEqual([true]);
      await store.spans.end(T0 + SECOND);
      expect(await isServing()).toEqual([false]);
      await store.nodes.leave(T0 + 2 * SECOND);
      expect(await store.nodes.list()).toEqual([]);
      expect(await store.nodes.beat(T0 + 3 * SECOND)).toBe(false);
      await store.close();
    }));

  // proves: nodes.dead
  it('that is gone leaves what it ran to be ended, and what it had taken to be started', () =>
    withPlace(async (place) => {
      const open = () => openStore({ clock: createFakeClock(T0) }, { ...place, version: '1' });
      const before = await open();
      const ran = await added(before);
      const waited = await added(before);
      for (const _ of [ran, waited]) await taken(before, 9);
      await before.turns.start(ran, T0, T0 + SECOND, before.nodeId);
      await before.close();
      const after = await open();
      const silent = { id: before.nodeId, heartbeatAt: isoTime(T0) };
      const other = { ...silent, heartbeatAt: isoTime(T0 - SECOND) };
      expect(await after.nodes.evict([other], T0 + SECOND)).toEqual({ ids: [], released: 0 });
      const gone = { ids: [before.nodeId], released: 1 };
      expect(await after.nodes.evict([silent], T0 + SECOND)).toEqual(gone);
      expect(await after.nodes.evict('others', T0 + SECOND)).toEqual({ ids: [], released: 0 });
      // What is held for dead takes and starts nothing any more.
      expect(await taken(after, 9, before.nodeId)).toBeNull();
      expect(await after.turns.start(waited, T0, T0 + SECOND, before.nodeId)).toBe(false);
      expect(await after.nodes.orphans()).toEqual([ran]);
      expect(await taken(after, 9)).toBe(waited);
      await after.turns.end(ran, ending, T0 + SECOND);
      expect(await after.nodes.orphans()).toEqual([]);
      await after.close();
    }));
});

describe('processes that are gone', () => {
  it('are not listed when they left without publishing their address', () =>
    withStore(async (store) => {
      await store.spans.begin(T0);
      await store.nodes.leave(T0);
      expect(await store.nodes.gone(T0)).toEqual([]);
    }));

  // proves: nodes.gone
  it('are listed with how they stopped, without those of long ago', () =>
    withStore(async (store) => {
      await store.nodes.started(T0 - SECOND);
      await store.spans.begin(T0);
      await store.nodes.locate({ url: 'http://127.0.0.1:7420', home: '/var/lib/svc' });
      const places = await store.nodes.places();
      expect(places.get(store.nodeId)).toEqual({
        url: 'http://127.0.0.1:7420',
        home: '/var/lib/svc',
      });
      expect(await store.nodes.gone(T0)).toEqual([]);
      await store.nodes.leave(T0 + SECOND);
      // One that is given up and still at work, as after it was suspended, changes nothing of that.
      await store.spans.beat(T0 + 60 * SECOND);
      await store.spans.end(T0 + 60 * SECOND);
      expect(await store.nodes.gone(T0)).toEqual([
        {
          ...{ id: store.nodeId, host: null, version: '0.0.0' },
          ...{ url: 'http://127.0.0.1:7420', home: '/var/lib/svc' },
          startedAt: isoTime(T0 - SECOND),
          heartbeatAt: isoTime(T0 + SECOND),
          goneAt: isoTime(T0 + SECOND),
          ...{ isLost: false, projects: null },
        },
      ]);
      expect(await store.nodes.gone(T0 + 2 * SECOND)).toEqual([]);
      expect((await store.nodes.places()).size).toBe(0);
    }));
});
