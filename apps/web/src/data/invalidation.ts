import type { Change } from '@svc/client';
import type { Query, QueryClient } from '@tanstack/react-query';
import { UnreachableError } from '../model/error-text.ts';

type Key = readonly string[];

const COALESCE_MS = 100;

/** Returns the query keys that a change invalidates. */
export function invalidatedKeys({ kind, project, id }: Change): readonly Key[] {
  const of = (...rest: string[]) => ['project', project, ...rest];
  switch (kind) {
    case 'project':
      return [['projects'], of()];
    case 'triggers':
      return [['projects'], ['status'], of('triggers'), of('upcoming')];
    case 'run':
      return [['projects'], ['status'], of('triggers'), of('runs'), of('run', id), of('events')];
    case 'event':
      return [of('events')];
    case 'chat':
      return [['status'], of('chats'), of('chat', id)];
  }
}

interface Among {
  readonly queryKey: readonly unknown[];
  /** Whether only this exact key matches. Default: longer keys match too. */
  readonly exact?: boolean;
}

// A response in flight may be older than the change. It is not cancelled, since changes may come faster than responses; it
// is fetched again once it has arrived.
function refresh(queries: QueryClient, among: Among): void {
  const onTheWay = queries.getQueryCache().findAll({ ...among, fetchStatus: 'fetching' });
  void queries.invalidateQueries(among, { cancelRefetch: false });
  for (const query of onTheWay) {
    const again = (): void => {
      const filter = { queryKey: query.queryKey, exact: true };
      void queries.invalidateQueries(filter, { cancelRefetch: false });
    };
    query.promise?.then(again, again);
  }
}

/**
 * Invalidates every query fetched so far. Queries that start from now on, with the change stream open, see everything that
 * the stream missed, so they are fetched once.
 */
export function invalidateAll(queries: QueryClient): void {
  for (const query of queries.getQueryCache().getAll()) {
    if (wasAsked(query)) refresh(queries, { queryKey: query.queryKey, exact: true });
  }
}

/** Refetches the queries that got no response. */
export function refetchUnanswered(queries: QueryClient): void {
  const failed = queries
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.error instanceof UnreachableError });
  for (const { queryKey } of failed) refresh(queries, { queryKey, exact: true });
}

/** Calls back when the network changes or a request gets no response; returns a function that unsubscribes. */
export function onConnectionDoubt(
  queries: QueryClient,
  callback: (by: 'network' | 'request') => void,
): () => void {
  const change = (): void => callback('network');
  const look = ({ type, action }: { type: string; action?: object }): void => {
    if (type === 'updated' && action !== undefined && 'error' in action) {
      if (action.error instanceof UnreachableError) callback('request');
    }
  };
  const ends = [
    queries.getQueryCache().subscribe(look),
    queries.getMutationCache().subscribe(look),
  ];
  addEventListener('online', change);
  addEventListener('offline', change);
  return () => {
    for (const end of ends) end();
    removeEventListener('online', change);
    removeEventListener('offline', change);
  };
}

function wasAsked({ state }: Query): boolean {
  return state.fetchStatus !== 'idle' || state.dataUpdatedAt > 0 || state.errorUpdatedAt > 0;
}

/** Collects invalidated keys and applies them every 100 ms: one run causes about a dozen changes. */
export function createInvalidator(queries: QueryClient): (stale: readonly Key[]) => void {
  const keys = new Map<string, Key>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    for (const queryKey of keys.values()) refresh(queries, { queryKey });
    keys.clear();
  };
  return (stale) => {
    for (const key of stale) keys.set(key.join('\n'), key);
    if (timer === undefined) timer = setTimeout(flush, COALESCE_MS);
  };
}
