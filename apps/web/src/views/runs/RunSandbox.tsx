import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Run } from '../../data/api-types.ts';
import { settingsQuery } from '../../data/service.ts';
import { sandboxLabelOf, unsandboxedText } from '../../model/network-text.ts';
import { Badge } from '../../parts/Badge.tsx';
import styles from './Runs.module.css';

/** Whether a run was sandboxed, and what it means if it was not; renders nothing if it is unknown. */
export function RunSandbox({ run }: { readonly run: Run }): JSX.Element | null {
  const isFree = run.sandbox === 'none';
  const { data } = useQuery({ ...settingsQuery, enabled: isFree });
  const label = sandboxLabelOf(run);
  if (label === null) return null;
  return (
    <div className={styles['sandbox']}>
      <Badge {...label} />
      {isFree ? <span>{unsandboxedText(data?.settings)}</span> : null}
    </div>
  );
}
