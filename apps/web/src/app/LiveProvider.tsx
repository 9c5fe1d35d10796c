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
import { askAgain, createStaleness, onDoubt, staleKeys, staleSoFar } from '../data/live.ts';
import { isOut, noteRefusal, type Session, useSession } from '../data/session.ts';

/** Whether what the page shows follows the service. */
export interface Live {
  readonly state: StreamState | 'signed-out';
  /** Since when, UTC ISO text. */
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

/** Follows what changes in the service while the page can be seen and a user is signed in; makes stale what it concerns. */
export function LiveProvider({ children }: { readonly children: ReactNode }): JSX.Element {
  const queries = useQueryClient();
  const [live, setLive] = useState<Live>({ state: 'connecting', since: '' });
  const session = useSession();
  const isSignedOut = isOut(session);
  const share = session === undefined ? null : shareOf(session);
  const shared = useRef<SharedFollowing>(null);
  // It does not wait for the user to be known: what is asked for before the stream is open is asked for twice.
  useEffect(() => {
    const tell = (state: Live['state']): void =>
      setLive((before) =>
        before.state === state ? before : { state, since: new Date().toISOString() },
      );
    if (isSignedOut) return tell('signed-out');
    const stale = createStaleness(queries);
    let current: StreamState = 'connecting';
    const following = shareChanges({
      baseUrl: location.origin,
      onChange: (change) => stale(staleKeys(change)),
      onReset: () => staleSoFar(queries),
      onState: (state, cause) => {
        current = state;
        tell(state);
        noteRefusal(queries, cause);
        if (state === 'live') askAgain(queries);
      },
    });
    shared.current = following;
    const ends = [
      pauseWhenHidden(following, document),
      onDoubt(queries, (by) => {
        // Of a connection that is lost already a failed request says nothing new.
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
