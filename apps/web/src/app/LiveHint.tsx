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

/** Shows the state of the connection in one word. */
export function LiveHint(): JSX.Element {
  const { state } = useLive();
  return (
    <span className={styles['hint']} data-state={state}>
      <span className={styles['dot']} aria-hidden />
      {WORDS[state]}
    </span>
  );
}

/** Warns that the data may be out of date while the connection is lost. */
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
