import type { Signal, Signals } from '@svc/store';

const KINDS = ['project', 'triggers', 'run', 'chat', 'event'] as const;

/** A hint that something has changed: what to fetch again, never the truth itself. */
export interface Change {
  readonly kind: (typeof KINDS)[number];
  readonly project: string;
  /** Run id, or session id of a chat; null for the others. */
  readonly id: string | null;
}

/** A change with its place in the feed. */
export interface NumberedChange extends Change {
  readonly eventId: string;
}

/** What a subscriber is told: a change, or that it has missed some and should fetch everything again. */
export type FeedItem = NumberedChange | { readonly reset: true; readonly eventId: string };

/** Tells surfaces what has changed. */
export interface ChangeFeed {
  publish(change: Change): void;
  /** Id of the last event; with 0 for its number before the first one. */
  readonly lastId: string;
  /**
   * Calls back for every change after `after` (an event id; null: from now on): at once for those still remembered,
   * then as they come. Returns how to stop.
   */
  subscribe(after: string | null, on: (item: FeedItem) => void): () => void;
}

/**
 * Makes a feed that remembers the last changes.
 *
 * @param options.remember how many to remember; default 1000
 * @param options.name tells this feed's event ids from those of an earlier process
 */
export function createChangeFeed(options: { name: string; remember?: number }): ChangeFeed {
  return createLocalFeed(options);
}

/**
 * The same for one of several processes that share a database: each is told what happens at the others, and to fetch
 * everything again where it may have missed some of it.
 */
export function createSharedChangeFeed(
  options: { name: string; remember?: number },
  signals: Signals,
): ChangeFeed {
  const local = createLocalFeed(options);
  // It lives as long as the process, as the feed does.
  signals.subscribe((heard) => {
    if (heard === 'missed') local.reset();
    else if (heard['kind'] === SIGNAL) publishHeard(local, heard);
  });
  return {
    get lastId() {
      return local.lastId;
    },
    subscribe: local.subscribe,
    publish(change) {
      local.publish(change);
      signals.send({ kind: SIGNAL, of: change.kind, project: change.project, id: change.id });
    },
  };
}

const SIGNAL = 'change';

function publishHeard(local: ChangeFeed, { of, project, id }: Signal): void {
  const kind = KINDS.find((each) => each === of);
  if (kind === undefined || typeof project !== 'string') return;
  local.publish({ kind, project, id: typeof id === 'string' ? id : null });
}

interface LocalFeed extends ChangeFeed {
  /** Tells everybody that something was missed. */
  reset(): void;
}

function createLocalFeed(options: { name: string; remember?: number }): LocalFeed {
  const remember = options.remember ?? 1000;
  const recent: NumberedChange[] = [];
  const subscribers = new Set<(item: FeedItem) => void>();
  let last = 0;
  const idOf = (n: number): string => `${options.name}-${n}`;
  const replay = (after: string, on: (item: FeedItem) => void): void => {
    const n = numberOf(after, options.name);
    const oldest = last - recent.length;
    if (n === null || n > last || n < oldest) on({ reset: true, eventId: idOf(last) });
    else for (const change of recent.slice(n - oldest)) on(change);
  };
  return {
    get lastId() {
      return idOf(last);
    },
    reset() {
      last += 1;
      recent.length = 0;
      for (const subscriber of subscribers) subscriber({ reset: true, eventId: idOf(last) });
    },
    publish(change) {
      last += 1;
      const numbered = { ...change, eventId: idOf(last) };
      recent.push(numbered);
      if (recent.length > remember) recent.shift();
      for (const subscriber of subscribers) subscriber(numbered);
    },
    subscribe(after, on) {
      if (after !== null) replay(after, on);
      subscribers.add(on);
      return () => void subscribers.delete(on);
    },
  };
}

function numberOf(eventId: string, name: string): number | null {
  const text = eventId.startsWith(`${name}-`) ? eventId.slice(name.length + 1) : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
