import { useQuery } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { isAccessRefused, sessionQuery } from '../../data/session.ts';
import { inertText } from '../../model/inert-text.ts';
import { localPath } from '../../model/local-path.ts';
import { Heading } from '../../parts/Heading.tsx';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { SignInPanel } from './SignInPanel.tsx';
import styles from './SignInView.module.css';

/** The sign-in view; it redirects to the requested address. */
export function SignInView(): JSX.Element {
  usePageTitle('Sign in');
  const { data: session, error } = useQuery(sessionQuery);
  const { next } = useSearch({ strict: false });
  const { history } = useRouter();
  const goOn = localPath(next, location.origin) ?? '/';
  return (
    <div className={styles['view']}>
      <Heading title="Sign in" />
      {session === undefined && error === null ? <Loading rows={1} /> : null}
      {session === undefined && error !== null ? <ErrorNotice error={error} /> : null}
      {session !== undefined && isAccessRefused(session) ? (
        <SignInPanel session={session} onDone={() => history.replace(goOn)} />
      ) : null}
      {session !== undefined && !isAccessRefused(session) ? (
        <AlreadyIn user={session.user} />
      ) : null}
    </div>
  );
}

function AlreadyIn({ user }: { readonly user: string | null }): JSX.Element {
  return (
    <p>
      {user === null ? 'You do not need to sign in.' : `You are signed in as ${inertText(user)}.`}{' '}
      <Link to="/">Go to the overview</Link>
    </p>
  );
}
