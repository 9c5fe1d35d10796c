import { describe, expect, it } from '@jest/globals';
import { isoTime } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import type { ChangeKind, Standing } from '@svc/records';
import { type ChangeRule, type NewChange, openStore, type Store } from '@svc/store';
import { withPlace } from './database.ts';
import { key, T0, withStore } from './harness.ts';

const HOUR = 3_600_000;

const standing = (enabled: boolean): Standing => ({
  ...{ enabled, type: 'schedule', cron: '0 3 * * *', timezone: null, interval: null },
  ...{ on: null, catchUp: 'latest', delayMs: 0 },
});

function change(hour: number, kind: ChangeKind, given: Partial<NewChange> = {}): NewChange {
  return {
    ...{ project: 'demo', source: 'trigger', trigger: 'nightly', kind },
    ...{ at: isoTime(T0 + hour * HOUR), by: 'user', via: 'rest', sessionId: null },
    ...{ writtenAt: null, reason: null, fields: [], anchor: null },
    standing: kind === 'disabled' ? standing(false) : standing(true),
    ...given,
  };
}

const HISTORY: readonly NewChange[] = [
  change(0, 'defined'),
  change(0, 'armed'),
  change(1, 'changed'),
  change(2, 'paused', { project: null, source: null, trigger: null }),
  change(3, 'resumed', { project: null, source: null, trigger: null }),
  change(4, 'unreadable', { source: null, trigger: null }),
  change(5, 'disabled'),
  change(5, 'disarmed'),
  change(9, 'enabled'),
  change(9, 'armed'),
];

const written = (store: Store) => store.changes.record({ changes: HISTORY, known: [], gone: [] });

async function prune(store: Store, rule: ChangeRule, limit = 2): Promise<number> {
  let removed = 0;
  for (let after: number | null = 0; after !== null; ) {
    const step = await store.changes.prune(rule, { after, limit });
    removed += step.changes;
    after = step.next;
  }
  return removed;
}

const kept = async (store: Store) =>
  (await store.changes.of(key)).map(({ at, kind }) => `${(Date.parse(at) - T0) / HOUR} ${kind}`);

describe('recorded changes', () => {
  it('remove what was cached of the arming of their projects', () =>
    withStore(async (store) => {
      const cached = { textHash: 'hash', mark: null, body: '{}' };
      const other = change(1, 'armed', { project: 'other' });
      for (const project of ['demo', 'other', 'third']) {
        await store.armingCache.save('maker', project, cached);
      }
      await store.changes.record({ changes: [...HISTORY, other], known: [], gone: [] });
      const left = await store.armingCache.load('maker', ['demo', 'other', 'third']);
      expect([...left.keys()]).toEqual(['third']);
    }));
});

describe('changes that are old', () => {
  it('are read and pruned also if an earlier version named their kind', () =>
    withStore(async (store) => {
      const former = ['defined', 'mended', 'switched_off', 'switched_on', 'changed'];
      const changes = former.map((kind, hour) => change(hour, kind as ChangeKind));
      await store.changes.record({ changes, known: [], gone: [] });
      expect(await kept(store)).toEqual([
        ...['0 defined', '1 fixed', '2 disabled', '3 enabled', '4 changed'],
      ]);
      expect(await prune(store, { since: T0 + 6 * HOUR, keep: null })).toBe(4);
      expect(await kept(store)).toEqual(['4 changed']);
    }));

  // proves: retention.changes
  it('go with their age, but for what held then: of its definition, arming, file and pause', () =>
    withStore(async (store) => {
      await written(store);
      const since = T0 + 6 * HOUR;
      expect(await prune(store, { since, keep: null })).toBe(4);
      expect(await kept(store)).toEqual([
        ...['3 resumed', '4 unreadable', '5 disabled', '5 disarmed'],
        ...['9 enabled', '9 armed'],
      ]);
      expect(await store.changes.keptFrom(key)).toBe(T0 + 5 * HOUR);
      expect(await prune(store, { since, keep: null })).toBe(0);
    }));

  it('go where a trigger has too many, but for what holds', () =>
    withStore(async (store) => {
      await written(store);
      expect(await prune(store, { since: null, keep: 3 })).toBe(4);
      expect(await kept(store)).toEqual([
        ...['2 paused', '3 resumed', '4 unreadable', '5 disarmed', '9 enabled', '9 armed'],
      ]);
      expect(await store.changes.keptFrom(key)).toBe(T0 + 9 * HOUR);
    }));

  it('stay where nothing says that they go', () =>
    withStore(async (store) => {
      await written(store);
      expect(await prune(store, { since: null, keep: null })).toBe(0);
      expect(await store.changes.keptFrom(key)).toBeNull();
    }));

  it('go by the order in which they were written, where the clock was set back', () =>
    withStore(async (store) => {
      const back = [change(9, 'defined'), change(1, 'changed'), change(12, 'changed')];
      await store.changes.record({ changes: back, known: [], gone: [] });
      expect(await prune(store, { since: T0 + 2 * HOUR, keep: null })).toBe(0);
      expect(await prune(store, { since: T0 + 10 * HOUR, keep: null })).toBe(1);
      expect(await kept(store)).toEqual(['1 changed', '12 changed']);
    }));
});

describe('times in which the service was at work', () => {
  it('go with their age, but for the newest', () =>
    withPlace(async (place) => {
      for (let hour = 0; hour < 6; hour += 1) {
        const clock = createFakeClock(T0 + hour * HOUR);
        const store = await openStore({ clock }, { ...place, version: '0.0.0' });
        await store.spans.begin(clock.now());
        await store.spans.end(clock.now() + 60_000);
        if (hour === 5) {
          expect(await store.spans.prune(T0 + 4.5 * HOUR, 3)).toBe(3);
          expect(await store.spans.prune(T0 + 4.5 * HOUR, 3)).toBe(1);
          const spans = await store.spans.around(T0 + 4.5 * HOUR);
          expect(spans.map(({ from }) => (from - T0) / HOUR)).toEqual([4, 5]);
        }
        await store.close();
      }
    }));
});
