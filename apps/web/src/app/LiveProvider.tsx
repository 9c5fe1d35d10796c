import { followChanges, pauseWhenHidden, type StreamState } from '@svc/client';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type JSX, type ReactNode, useContext, useEffect, useState } from 'react';
import { createStaleness, staleKeys, staleSoFar } from '../data/live.ts';
import { isOut, noteRefusal, useSession } from '../data/session.ts';

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

/** Follows what changes in the service while the page can be seen and somebody is let in; makes stale what it concerns. */
export function LiveProvider({ children }: { readonly children: ReactNode }): JSX.Element {
  const queries = useQueryClient();
  const [live, setLive] = useState<Live>({ state: 'connecting', since: '' });
  const isSignedOut = isOut(useSession());
  useEffect(() => {
    const tell = (state: Live['state']): void =>
      setLive((before) =>
        before.state === state ? before : { state, since: new Date().toISOString() },
      );
    if (isSignedOut) return tell('signed-out');
    const stale = createStaleness(queries);
    const following = followChanges({
      baseUrl: location.origin,
      onChange: (change) => stale(staleKeys(change)),
      onReset: () => staleSoFar(queries),
      onState: (state, cause) => {
        tell(state);
        noteRefusal(queries, cause);
      },
    });
    const end = pauseWhenHidden(following, document);
    return () => {
      end();
      following.stop();
    };
  }, [queries, isSignedOut]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
