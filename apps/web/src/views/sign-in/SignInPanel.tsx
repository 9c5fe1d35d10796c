import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { type Session, sessionQuery } from '../../data/session.ts';
import { inertText } from '../../model/inert.ts';
import { Notice } from '../../parts/Notice.tsx';
import { SignInForm } from './SignInForm.tsx';

interface SignInPanelProps {
  readonly session: Session;
  readonly onDone?: () => void;
}

/** The form of the access token; where there is none, why nobody signs in here. */
export function SignInPanel({ session, onDone }: SignInPanelProps): JSX.Element {
  const queries = useQueryClient();
  if (session.mode === 'token') {
    const enter = (entered: Session): void => {
      queries.setQueryData(sessionQuery.queryKey, entered);
      // What was refused meanwhile is asked for again.
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
      title: user === null ? 'You have no role here.' : `You are known here as ${inertText(user)}.`,
      words:
        'None of your roles is one of those that may use this instance. Ask whoever runs it: auth.roles in svc.config.yaml names them.',
    };
  }
  return REASONS[mode === 'jwt' ? 'jwt' : 'trusted-header'];
}

const REASONS = {
  'trusted-header': {
    title: 'A proxy signs people in here, and it did not say who you are.',
    words:
      'Come by the address of that proxy. Its word counts only from the peers that auth.trustedProxies names.',
  },
  jwt: {
    title:
      'An identity provider signs people in here, and your request carried no token of it that holds.',
    words: 'Sign in there, by whatever leads to this page, and load it again.',
  },
} as const satisfies Record<string, Reason>;
