import { bodyOf } from '@svc/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api } from '../data/api.ts';
import { statusQuery } from '../data/service.ts';
import { inertText } from '../model/inert.ts';
import controls from '../parts/controls.module.css';
import { Notice } from '../parts/Notice.tsx';
import { useReadOnly } from '../parts/read-only.ts';
import { Ago } from '../parts/Time.tsx';

/** Who has paused everything, when and why, with the way to go on; nothing while all goes on. */
export function PauseBanner(): JSX.Element | null {
  const { data } = useQuery(statusQuery);
  const queries = useQueryClient();
  const readOnly = useReadOnly();
  const resume = useMutation({
    mutationFn: async () => bodyOf(await api.POST('/api/resume')),
    onSettled: () => queries.invalidateQueries(),
  });
  const paused = data?.paused ?? null;
  if (paused === null) return null;
  return (
    <Notice tone="warn" role="status" title="Everything is paused: nothing starts by itself.">
      <p>
        By {inertText(paused.by)}, <Ago at={paused.at} />
        {paused.reason === null ? '.' : `: ${inertText(paused.reason)}`}
      </p>
      <button
        type="button"
        className={controls['button']}
        disabled={resume.isPending || readOnly !== undefined}
        title={readOnly}
        onClick={() => resume.mutate()}
      >
        Resume
      </button>
      {resume.error === null ? null : <p role="alert">{inertText(resume.error.message)}</p>}
    </Notice>
  );
}
