import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { JSX } from 'react';
import { isOut, type Session, sessionQuery, signOut, useSession } from '../data/session.ts';
import { forgetTexts } from '../model/kept-text.ts';
import controls from '../parts/controls.module.css';
import styles from './Account.module.css';

const ROLES = { read: 'may look', write: 'may change things' } as const;

/** Who is signed in, with what they may do, and the way out. */
export function Account(): JSX.Element | null {
  const session = useSession();
  if (session === undefined || isOut(session)) return null;
  const { mode, user, role } = session;
  return (
    <div className={styles['account']}>
      {role === null || mode === 'none' || mode === 'unset' ? null : (
        <span className={styles['who']}>
          <span className={styles['user']}>{user ?? 'Signed in'}</span>
          <span className={styles['role']}>{ROLES[role]}</span>
        </span>
      )}
      {mode === 'token' ? <SignOut session={session} /> : null}
    </div>
  );
}

function SignOut({ session }: { readonly session: Session }): JSX.Element {
  const queries = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: async () => {
      await navigate({ to: '/sign-in', search: { next: router.state.location.href } });
      // Somebody who stays with what they have typed stays signed in.
      if (router.state.location.pathname !== '/sign-in') return;
      await signOut();
      forgetTexts();
      queries.setQueryData(sessionQuery.queryKey, { ...session, ...NOBODY });
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    },
  });
  return (
    <button
      type="button"
      className={controls['quiet']}
      disabled={leave.isPending}
      onClick={() => leave.mutate()}
    >
      Sign out
    </button>
  );
}

const NOBODY = { signedIn: false, user: null, role: null } as const;
