import type { Change } from '@svc/client';
import type { Query, QueryClient } from '@tanstack/react-query';
import { UnreachableError } from '../model/trouble.ts';

type Key = readonly string[];

const COALESCE_MS = 100;

/** Which queries a change makes stale. */
export function staleKeys({ kind, project, id }: Change): readonly Key[] {
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
  /** Whether longer keys are meant too. Default: they are. */
  readonly exact?: boolean;
}

// An answer that is on its way may have been made before the change: it is not broken off, since changes may come faster
// than answers, but asked for again once it is here.
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
 * Makes stale all that has been asked for up to now. What is asked for from now on, with the stream of changes open, is
 * answered after whatever the stream did not tell: it is asked for once.
 */
export function staleSoFar(queries: QueryClient): void {
  for (const query of queries.getQueryCache().getAll()) {
    if (wasAsked(query)) refresh(queries, { queryKey: query.queryKey, exact: true });
  }
}

/** Asks again for what no answer came to. */
export function askAgain(queries: QueryClient): void {
  const failed = queries
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.error instanceof UnreachableError });
  for (const { queryKey } of failed) refresh(queries, { queryKey, exact: true });
}

/** Calls back when the network has changed or a request got no answer; returns what ends this. */
export function onDoubt(
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

/** Collects what has become stale and says so once per tenth of a second: a run makes a dozen changes. */
export function createStaleness(queries: QueryClient): (stale: readonly Key[]) => void {
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
