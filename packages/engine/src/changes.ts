import type { Signal, Signals } from '@svc/store';

const KINDS = ['project', 'triggers', 'run', 'chat', 'event'] as const;

/** A hint that something changed and should be fetched again. It does not contain the data. */
export interface Change {
  readonly kind: (typeof KINDS)[number];
  readonly project: string;
  /** Run id, or session id of a chat; null for other kinds. */
  readonly id: string | null;
}

/** A change with its position in the feed. */
export interface NumberedChange extends Change {
  readonly eventId: string;
}

/** A change, or a notice that changes were missed and everything should be fetched again. */
export type FeedItem = NumberedChange | { readonly reset: true; readonly eventId: string };

/** Notifies surfaces of changes. */
export interface ChangeFeed {
  publish(change: Change): void;
  /** Id of the last event; its number is 0 before the first one. */
  readonly lastId: string;
  /**
   * Calls back for every change after `after` (an event id; null: from now on): at once for those still buffered, then
   * as they occur. Returns how to stop.
   */
  subscribe(after: string | null, on: (item: FeedItem) => void): () => void;
}

/**
 * Creates a feed that buffers recent changes.
 *
 * @param options.remember number of changes to buffer; default 1000
 * @param options.name distinguishes event ids of this feed from those of an earlier process
 */
export function createChangeFeed(options: { name: string; remember?: number }): ChangeFeed {
  return createLocalFeed(options);
}

/**
 * The same for servers that share a database: each receives the changes of the others, and a notice to fetch everything
 * again if some may have been missed.
 */
export function createSharedChangeFeed(
  options: { name: string; remember?: number },
  signals: Signals,
): ChangeFeed {
  const local = createLocalFeed(options);
  // It lives as long as the process, like the feed.
  signals.subscribe((signal) => {
    if (signal === 'missed') local.reset();
    else if (signal['kind'] === SIGNAL) publishSignal(local, signal);
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

function publishSignal(local: ChangeFeed, { of, project, id }: Signal): void {
  const kind = KINDS.find((each) => each === of);
  if (kind === undefined || typeof project !== 'string') return;
  local.publish({ kind, project, id: typeof id === 'string' ? id : null });
}

interface LocalFeed extends ChangeFeed {
  /** Notifies all subscribers that changes were missed. */
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
