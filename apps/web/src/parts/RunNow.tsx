import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { runNow, type TriggerPath } from '../data/trigger-changes.ts';
import { inertText } from '../model/inert-text.ts';
import styles from './controls.module.css';
import { useReadOnly } from './read-only.ts';

interface RunNowProps extends TriggerPath {
  /** Default: "Run now". */
  readonly label?: string;
  /** Called with the error when the request fails, and with null when the next one starts. */
  readonly onRefusal: (refusal: Error | null) => void;
}

/** Starts a run and opens it. */
export function RunNow({ slug, name, label = 'Run now', onRefusal }: RunNowProps): JSX.Element {
  const navigate = useNavigate();
  const readOnly = useReadOnly();
  const start = useMutation({
    mutationFn: () => runNow({ slug, name }),
    onMutate: () => onRefusal(null),
    onError: onRefusal,
    onSuccess: (runId) => navigate({ to: '/projects/$slug/runs/$runId', params: { slug, runId } }),
  });
  return (
    <button
      type="button"
      className={styles['button']}
      data-key="r"
      disabled={start.isPending || readOnly !== undefined}
      title={readOnly}
      onClick={() => start.mutate()}
      aria-label={`${label}: ${inertText(name)}`}
    >
      {label}
    </button>
  );
}
