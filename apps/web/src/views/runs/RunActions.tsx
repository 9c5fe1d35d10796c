import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Run } from '../../data/api-types.ts';
import { cancelRun } from '../../data/run-queries.ts';
import controls from '../../parts/controls.module.css';
import { RunNow } from '../../parts/RunNow.tsx';
import { useReadOnly } from '../../parts/read-only.ts';

interface RunActionsProps {
  readonly run: Run;
  /** Called with the error when the request fails, and with null when the next one starts. */
  readonly onRefusal: (refusal: Error | null) => void;
}

/** The actions of a run. */
export function RunActions({ run, onRefusal }: RunActionsProps): JSX.Element {
  const { project: slug, trigger: name, source, sessionId, state } = run;
  const isOpen = state !== 'ended';
  return (
    <>
      {isOpen ? <CancelRun slug={slug} runId={run.id} onRefusal={onRefusal} /> : null}
      {source === 'trigger' && !isOpen ? (
        <RunNow slug={slug} name={name} label="Run again" onRefusal={onRefusal} />
      ) : null}
      {source === 'trigger' ? (
        <Link
          to="/projects/$slug/triggers/$name"
          params={{ slug, name }}
          className={controls['button']}
        >
          Edit
        </Link>
      ) : null}
      {sessionId === null ? null : (
        <Link
          to="/projects/$slug/chats/$sessionId"
          params={{ slug, sessionId }}
          className={controls['button']}
        >
          Chat
        </Link>
      )}
    </>
  );
}

interface CancelRunProps extends Pick<RunActionsProps, 'onRefusal'> {
  readonly slug: string;
  readonly runId: string;
}

/** Cancels a queued or running run. */
function CancelRun({ slug, runId, onRefusal }: CancelRunProps): JSX.Element {
  const queries = useQueryClient();
  const readOnly = useReadOnly();
  const cancel = useMutation({
    mutationFn: () => cancelRun(slug, runId),
    onMutate: () => onRefusal(null),
    onError: onRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', slug] }),
  });
  return (
    <button
      type="button"
      className={controls['button']}
      disabled={cancel.isPending || readOnly !== undefined}
      title={readOnly}
      onClick={() => cancel.mutate()}
    >
      Cancel
    </button>
  );
}
