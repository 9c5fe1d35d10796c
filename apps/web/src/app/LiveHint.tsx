import type { JSX } from 'react';
import { Notice } from '../parts/Notice.tsx';
import { Ago } from '../parts/Time.tsx';
import styles from './LiveHint.module.css';
import { useLive } from './LiveProvider.tsx';

const WORDS = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost',
  'signed-out': 'Signed out',
} as const;

/** Whether the page follows the service, in a word. */
export function LiveHint(): JSX.Element {
  const { state } = useLive();
  return (
    <span className={styles['hint']} data-state={state}>
      <span className={styles['dot']} aria-hidden />
      {WORDS[state]}
    </span>
  );
}

/** What is to be known of the page while it does not follow the service. */
export function LostNotice(): JSX.Element | null {
  const { state, since } = useLive();
  if (state !== 'lost') return null;
  return (
    <Notice tone="warn" role="status">
      <p>
        Connection lost <Ago at={since} />. This page may be out of date. Reconnecting.
      </p>
    </Notice>
  );
}
