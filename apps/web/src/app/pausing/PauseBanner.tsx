import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { resumeAll } from '../../data/pause-changes.ts';
import { statusQuery } from '../../data/service.ts';
import { inertText } from '../../model/inert-text.ts';
import { actorText } from '../../model/run-text.ts';
import controls from '../../parts/controls.module.css';
import { Notice } from '../../parts/Notice.tsx';
import { useReadOnly } from '../../parts/read-only.ts';
import { Ago } from '../../parts/Time.tsx';
import styles from './PauseBanner.module.css';

/** Shows who paused all triggers, when and why, with a button to resume; renders nothing while they are not paused. */
export function PauseBanner(): JSX.Element | null {
  const { data } = useQuery(statusQuery);
  const queries = useQueryClient();
  const readOnly = useReadOnly();
  const resume = useMutation({
    mutationFn: resumeAll,
    onSettled: () => queries.invalidateQueries(),
  });
  const paused = data?.paused ?? null;
  if (paused === null) return null;
  return (
    <Notice tone="warn" role="status" title="All triggers are paused.">
      <div className={styles['standing']}>
        <div className={styles['words']}>
          <p>
            Paused <Ago at={paused.at} /> by {actorText(inertText(paused.by))}
            {paused.reason === null ? '.' : `: ${inertText(paused.reason)}`}
          </p>
          <p className={styles['quiet']}>
            Scheduled times and events are skipped and will not run later. Run now and chats still
            work.
          </p>
        </div>
        <button
          type="button"
          className={controls['button']}
          disabled={resume.isPending || readOnly !== undefined}
          title={readOnly}
          aria-label="Resume all triggers"
          onClick={() => resume.mutate()}
        >
          Resume
        </button>
      </div>
      {resume.error === null ? null : <p role="alert">{inertText(resume.error.message)}</p>}
    </Notice>
  );
}
