import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetTexts } from '../data/kept-text.ts';
import { sessionQuery } from '../data/session.ts';

const KEY = 'svc.signedOut';
const NOBODY = { signedIn: false, user: null, role: null } as const;

/** Gives what leads to the sign-in, ends the session there by `end`, and forgets what was shown and typed. */
function useLeaving(): (end: () => Promise<void>) => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  return async (end) => {
    if (router.state.location.pathname !== '/sign-in') {
      await navigate({ to: '/sign-in', search: { next: router.state.location.href } });
    }
    // Somebody who stays with what they have typed is not led away.
    if (router.state.location.pathname !== '/sign-in') return;
    await end();
    forgetTexts();
    queries.setQueryData(sessionQuery.queryKey, (known) => known && { ...known, ...NOBODY });
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
}

/** Gives what signs out by `end`, here and in every other tab. */
export function useSignOut(end: () => Promise<void>): () => Promise<void> {
  const leave = useLeaving();
  return () =>
    leave(async () => {
      await end();
      tellOtherTabs();
    });
}

// Browsers tell other tabs of a change alone: it is another text each time.
function tellOtherTabs(): void {
  try {
    localStorage.setItem(KEY, new Date().toISOString());
  } catch {
    // There is no room: the other tabs ask for the sign-in once they are refused.
  }
}

/** Follows a sign-out in another tab: the next one at this browser may be somebody else. */
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
