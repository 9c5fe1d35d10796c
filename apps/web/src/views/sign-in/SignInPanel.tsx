import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { type Session, sessionQuery } from '../../data/session.ts';
import { inertText } from '../../model/inert-text.ts';
import { Notice } from '../../parts/Notice.tsx';
import { SignInForm } from './SignInForm.tsx';

interface SignInPanelProps {
  readonly session: Session;
  readonly onDone?: () => void;
}

/** The form for the access token; in other modes, the reason why there is none. */
export function SignInPanel({ session, onDone }: SignInPanelProps): JSX.Element {
  const queries = useQueryClient();
  if (session.mode === 'token') {
    const enter = (entered: Session): void => {
      queries.setQueryData(sessionQuery.queryKey, entered);
      // Requests that were refused meanwhile are sent again.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      onDone?.();
    };
    return <SignInForm onSignedIn={enter} />;
  }
  const { title, words } = reasonOf(session);
  return (
    <Notice tone="warn" role="status" title={title}>
      <p>{words}</p>
    </Notice>
  );
}

interface Reason {
  readonly title: string;
  readonly words: string;
}

function reasonOf({ mode, signedIn, user }: Session): Reason {
  if (signedIn) {
    return {
      title:
        user === null
          ? 'You have no role on this instance.'
          : `You are signed in as ${inertText(user)}.`,
      words:
        'None of your roles grants access to this instance. Ask its operator to check auth.roles in svc.config.yaml.',
    };
  }
  return REASONS[mode === 'jwt' ? 'jwt' : 'trusted-header'];
}

const REASONS = {
  'trusted-header': {
    title: 'A proxy handles sign-in, and your request did not identify you.',
    words:
      'Open this page at the address of the proxy. The service trusts only the peers in auth.trustedProxies.',
  },
  jwt: {
    title: 'An identity provider handles sign-in, and your request carried no valid token.',
    words: 'Sign in with the identity provider, then reload this page.',
  },
} as const satisfies Record<string, Reason>;
