import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../data/session.ts';
import { clearUnsentTexts } from '../data/unsent-text.ts';

const KEY = 'svc.signedOut';
const SIGNED_OUT = { signedIn: false, user: null, role: null } as const;

/** Returns a function that opens the sign-in, ends the session with `end`, and clears the cached data and typed texts. */
function useLeaving(): (end: () => Promise<void>) => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  return async (end) => {
    if (router.state.location.pathname !== '/sign-in') {
      await navigate({ to: '/sign-in', search: { next: router.state.location.href } });
    }
    // A user who cancels the navigation to keep unsaved changes stays signed in.
    if (router.state.location.pathname !== '/sign-in') return;
    await end();
    clearUnsentTexts();
    queries.setQueryData(sessionQuery.queryKey, (known) => known && { ...known, ...SIGNED_OUT });
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
}

/** Returns a function that signs out with `end`, in this tab and in all others. */
export function useSignOut(end: () => Promise<void>): () => Promise<void> {
  const leave = useLeaving();
  return () =>
    leave(async () => {
      await end();
      tellOtherTabs();
    });
}

// Browsers report only changed values to other tabs, so each sign-out writes a new one.
function tellOtherTabs(): void {
  try {
    localStorage.setItem(KEY, new Date().toISOString());
  } catch {
    // The storage is full. The other tabs ask for the sign-in when their next request is refused.
  }
}

/** Signs out when another tab does: the next user of this browser may be a different person. */
export function useSignOutElsewhere(): void {
  const leave = useLeaving();
  useEffect(() => {
    const follow = ({ key }: StorageEvent): void => {
      if (key === KEY) void leave(async () => {});
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  });
}
