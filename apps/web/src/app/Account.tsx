import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import { isAccessRefused, signOut, useSession } from '../data/session.ts';
import { inertText } from '../model/inert-text.ts';
import controls from '../parts/controls.module.css';
import styles from './Account.module.css';
import { useSignOut } from './sign-out.ts';

const ROLES = { read: 'Read-only', write: 'Read and write' } as const;

/** Shows the signed-in user, the role, and the sign-out button. */
export function Account(): JSX.Element | null {
  const session = useSession();
  if (session === undefined || isAccessRefused(session)) return null;
  const { mode, user, role } = session;
  return (
    <div className={styles['account']}>
      {role === null || mode === 'none' || mode === 'unset' ? null : (
        <span className={styles['who']}>
          <span className={styles['user']}>{inertText(user ?? 'Signed in')}</span>
          <span className={styles['role']}>{ROLES[role]}</span>
        </span>
      )}
      {mode === 'token' ? <SignOut /> : null}
    </div>
  );
}

function SignOut(): JSX.Element {
  const leave = useMutation({ mutationFn: useSignOut(signOut) });
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
