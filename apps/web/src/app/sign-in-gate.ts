import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isAccessRefused, type Session, useSession } from '../data/session.ts';

/** What the page shows, depending on the session. */
export type Gate =
  /** The whole page. */
  | { readonly kind: 'open' }
  /** Only the sign-in. */
  | { readonly kind: 'sign-in' }
  /** Nothing, until the redirect to the sign-in is done. */
  | { readonly kind: 'leaving' }
  /** The previous view, which may hold unsaved input, with the sign-in on top. */
  | { readonly kind: 'again'; readonly session: Session };

/** Decides between page and sign-in, and redirects users who have not seen any view yet to the sign-in. */
export function useGate(): Gate {
  const session = useSession();
  const navigate = useNavigate();
  const { pathname, href } = useLocation();
  const isAtSignIn = pathname === '/sign-in';
  const isLetIn = session !== undefined && !isAccessRefused(session);
  const [hasSeen, setSeen] = useState(false);
  if (isAtSignIn ? hasSeen : isLetIn && !hasSeen) setSeen(!isAtSignIn);
  const isLeaving = isAccessRefused(session) && !isAtSignIn && !hasSeen;
  useEffect(() => {
    if (isLeaving) void navigate({ to: '/sign-in', search: { next: href }, replace: true });
  }, [isLeaving, navigate, href]);
  if (isAtSignIn) return { kind: 'sign-in' };
  if (isLeaving) return { kind: 'leaving' };
  return session !== undefined && isAccessRefused(session)
    ? { kind: 'again', session }
    : { kind: 'open' };
}
