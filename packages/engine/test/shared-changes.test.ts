import { describe, expect, it } from '@jest/globals';
import { createSharedChangeFeed, type FeedItem } from '@svc/engine';
import type { HeardSignal, Signal, Signals } from '@svc/store';

/** Two feeds whose signals reach each other. */
function createPair() {
  const followers: ((heard: HeardSignal) => void)[][] = [[], []];
  const signalsOf = (n: number): Signals => ({
    send(signal) {
      for (const on of followers[1 - n] ?? []) on(JSON.parse(JSON.stringify(signal)) as Signal);
    },
    subscribe(on) {
      followers[n]?.push(on);
      return () => {};
    },
  });
  const feeds = [0, 1].map((n) => createSharedChangeFeed({ name: `n${n}` }, signalsOf(n)));
  const received: FeedItem[][] = [[], []];
  for (const [n, feed] of feeds.entries()) feed.subscribe(null, (item) => received[n]?.push(item));
  const hear = (n: number, heard: HeardSignal) => {
    for (const on of followers[n] ?? []) on(heard);
  };
  return { feeds, received, hear };
}

const change = { kind: 'run', project: 'demo', id: 'r1' } as const;

describe('changes at processes that share a database', () => {
  // proves: nodes.changes
  it('reach each process once, with the event ids of that process', () => {
    const { feeds, received } = createPair();
    feeds[1]?.publish({ kind: 'project', project: 'other', id: null });
    feeds[0]?.publish(change);
    expect(received[0]).toEqual([
      { kind: 'project', project: 'other', id: null, eventId: 'n0-1' },
      { ...change, eventId: 'n0-2' },
    ]);
    expect(received[1]?.at(-1)).toEqual({ ...change, eventId: 'n1-2' });
    expect(received[1]).toHaveLength(2);
  });

  // proves: nodes.changes
  it('that may have been missed have everything fetched again, also by who comes back later', () => {
    const { feeds, received, hear } = createPair();
    feeds[0]?.publish(change);
    hear(1, 'missed');
    expect(received[1]?.at(-1)).toEqual({ reset: true, eventId: 'n1-2' });
    const later: FeedItem[] = [];
    feeds[1]?.subscribe('n1-1', (item) => later.push(item));
    expect(later).toEqual([{ reset: true, eventId: 'n1-2' }]);
    const since: FeedItem[] = [];
    feeds[1]?.subscribe('n1-2', (item) => since.push(item));
    expect(since).toEqual([]);
  });

  it('are not created from other signals', () => {
    const { received, hear } = createPair();
    for (const signal of [
      { kind: 'turn.waits' },
      { kind: 'change', of: 'nothing', project: 'demo', id: null },
      { kind: 'change', of: 'run', project: null, id: null },
    ]) {
      hear(0, signal);
    }
    expect(received[0]).toEqual([]);
  });
});
