import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isOut, type Session, useSession } from '../data/session.ts';

/** What the page shows of itself to whoever looks at it. */
export type Gate =
  /** All of it. */
  | { readonly kind: 'open' }
  /** The sign-in alone. */
  | { readonly kind: 'sign-in' }
  /** Nothing yet: the sign-in is about to come. */
  | { readonly kind: 'leaving' }
  /** All that was there, which may hold what somebody has typed, and the sign-in over it. */
  | { readonly kind: 'again'; readonly session: Session };

/** Decides between page and sign-in, and leads to the sign-in whoever has seen nothing yet. */
export function useGate(): Gate {
  const session = useSession();
  const navigate = useNavigate();
  const { pathname, href } = useLocation();
  const isAtSignIn = pathname === '/sign-in';
  const isLetIn = session !== undefined && !isOut(session);
  const [hasSeen, setSeen] = useState(false);
  if (isAtSignIn ? hasSeen : isLetIn && !hasSeen) setSeen(!isAtSignIn);
  const isLeaving = isOut(session) && !isAtSignIn && !hasSeen;
  useEffect(() => {
    if (isLeaving) void navigate({ to: '/sign-in', search: { next: href }, replace: true });
  }, [isLeaving, navigate, href]);
  if (isAtSignIn) return { kind: 'sign-in' };
  if (isLeaving) return { kind: 'leaving' };
  return session !== undefined && isOut(session) ? { kind: 'again', session } : { kind: 'open' };
}
