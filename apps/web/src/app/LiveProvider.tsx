import { pauseWhenHidden, type SharedFollowing, type StreamState, shareChanges } from '@svc/client';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type JSX,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import {
  createInvalidator,
  invalidateAll,
  invalidatedKeys,
  onConnectionDoubt,
  refetchUnanswered,
} from '../data/invalidation.ts';
import { isAccessRefused, refreshOnRefusal, type Session, useSession } from '../data/session.ts';

/** The state of the change stream. */
export interface Live {
  readonly state: StreamState | 'signed-out';
  /** UTC ISO text. */
  readonly since: string;
}

const LiveContext = createContext<Live>({ state: 'connecting', since: '' });

export function useLive(): Live {
  return useContext(LiveContext);
}

// Tabs of the same user share one stream.
function shareOf({ mode, user, role }: Session): string {
  return JSON.stringify([mode, user, role]);
}

/**
 * Follows the changes of the service while the page is visible and a user is signed in, and invalidates the queries that
 * each change affects.
 */
export function LiveProvider({ children }: { readonly children: ReactNode }): JSX.Element {
  const queries = useQueryClient();
  const [live, setLive] = useState<Live>({ state: 'connecting', since: '' });
  const session = useSession();
  const isSignedOut = isAccessRefused(session);
  const share = session === undefined ? null : shareOf(session);
  const shared = useRef<SharedFollowing>(null);
  // The stream does not wait until the user is known: data fetched before the stream is open is fetched twice.
  useEffect(() => {
    const tell = (state: Live['state']): void =>
      setLive((before) =>
        before.state === state ? before : { state, since: new Date().toISOString() },
      );
    if (isSignedOut) return tell('signed-out');
    const stale = createInvalidator(queries);
    let current: StreamState = 'connecting';
    const following = shareChanges({
      baseUrl: location.origin,
      onChange: (change) => stale(invalidatedKeys(change)),
      onReset: () => invalidateAll(queries),
      onState: (state, cause) => {
        current = state;
        tell(state);
        refreshOnRefusal(queries, cause);
        if (state === 'live') refetchUnanswered(queries);
      },
    });
    shared.current = following;
    const ends = [
      pauseWhenHidden(following, document),
      onConnectionDoubt(queries, (by) => {
        // While the connection is lost, a failed request adds no information.
        if (by === 'network' || current === 'live') following.check();
      }),
      following.stop,
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [queries, isSignedOut]);
  useEffect(() => {
    if (share !== null && !isSignedOut) shared.current?.shareAs(share);
  }, [share, isSignedOut]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
