import type { JSX } from 'react';
import type { RunPage } from '../../data/run-queries.ts';
import { When } from '../../parts/Time.tsx';
import styles from './Runs.module.css';

/** The note at the end of a pruned history. */
export function RemovedRuns({ removed }: Pick<RunPage, 'removed'>): JSX.Element | null {
  if (removed === null) return null;
  const { count, until } = removed;
  return (
    <p className={styles['removed']}>
      {count === 1 ? '1 older run, from ' : `${count.toLocaleString('en-GB')} older runs, up to `}
      <When at={until} />, {count === 1 ? 'was' : 'were'} removed by retention.
    </p>
  );
}
