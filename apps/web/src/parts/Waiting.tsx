import { ApiError } from '@svc/client';
import { type JSX, useEffect, useState } from 'react';
import { Notice } from './Notice.tsx';
import styles from './Waiting.module.css';

const PATIENCE_MS = 200;

/** What stands where something is still loaded; nothing for the first fifth of a second. */
export function Waiting({ rows = 4 }: { readonly rows?: number }): JSX.Element | null {
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

/** Why something could not be loaded, in the sentence of the service where it gave one. */
export function Trouble({ error }: { readonly error: Error }): JSX.Element {
  const said = error instanceof ApiError;
  return (
    <Notice tone="bad" role="alert" title={said ? error.message : 'The service does not answer.'}>
      {said ? null : <p>It may be stopped, or on its way back. The page tries again by itself.</p>}
    </Notice>
  );
}
