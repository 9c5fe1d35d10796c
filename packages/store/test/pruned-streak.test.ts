import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import type { RunOutcome } from '@svc/records';
import type { RetentionRule, Store } from '@svc/store';
import { key, T0, withStore } from './harness.ts';

const of = { project: key.project, source: key.source, trigger: key.name };

async function end(store: Store, outcome: RunOutcome, at: number): Promise<string> {
  const id = newId();
  await store.runs.addEnded({ id, key, cause: 'manual', by: null, claimedAt: at }, outcome, 'So.');
  return id;
}

async function endMany(store: Store, outcomes: readonly RunOutcome[]): Promise<string> {
  let last = '';
  for (const [n, outcome] of outcomes.entries()) last = await end(store, outcome, T0 + n);
  return last;
}

async function prune(store: Store, runs: number): Promise<void> {
  const pending = (await store.alerts.pendingRuns(100)).map(({ id }) => id);
  await store.alerts.add({ runs: pending, of: null, deliveries: [], marks: [] }, 10);
  const rule: RetentionRule = { runs, since: null, keepsFailure: true, now: T0 + 1000 };
  let place = await store.retention.place(key, rule);
  for (;;) {
    const { next } = await store.retention.prune(key, rule, place, 2);
    if (next === null) return;
    place = next;
  }
}

const counted = (store: Store, id: string) => store.alerts.failuresUpTo({ ...of, id }, 100);

describe('failures in a row, as alerts count them', () => {
  // proves: retention.alerts
  it.each<[readonly RunOutcome[], number]>([
    [['failed', 'failed', 'timed_out', 'cancelled', 'failed'], 4],
    [['failed', 'succeeded', 'failed', 'failed', 'failed'], 3],
    [['failed', 'succeeded', 'cancelled', 'cancelled', 'failed'], 1],
  ])('hold those whose runs were removed, of %j', (outcomes, failures) =>
    withStore(async (store) => {
      await store.alerts.follow(true);
      await endMany(store, outcomes.slice(0, -1));
      await prune(store, 1);
      const last = await end(store, outcomes.at(-1) ?? 'failed', T0 + 10);
      expect(await counted(store, last)).toBe(failures);
      await prune(store, 1);
      expect((await store.runs.list('demo', { limit: 9 })).runs).toHaveLength(1);
      expect(await counted(store, last)).toBe(failures);
    }),
  );
});
