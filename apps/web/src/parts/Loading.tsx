import { type JSX, useEffect, useState } from 'react';
import { errorTextOf } from '../model/error-text.ts';
import { inertText } from '../model/inert-text.ts';
import styles from './Loading.module.css';
import { Notice } from './Notice.tsx';

const PATIENCE_MS = 200;

/** A placeholder while data loads; invisible for the first fifth of a second. */
export function Loading({ rows = 4 }: { readonly rows?: number }): JSX.Element | null {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <div className={styles['waiting']} role="status">
      <span className={styles['words']}>Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles['row']} aria-hidden />
      ))}
    </div>
  );
}

/** Describes why something is not shown, with the message of the service if there is one. */
export function ErrorNotice({ error }: { readonly error: Error }): JSX.Element {
  const { title, hint } = errorTextOf(error);
  return (
    <Notice tone="bad" role="alert" title={inertText(title)}>
      {hint === null ? null : <p>{inertText(hint)}</p>}
    </Notice>
  );
}
