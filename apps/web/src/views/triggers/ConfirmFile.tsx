import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { confirmFile } from '../../data/trigger-changes.ts';
import { hunksOf, lineDiff } from '../../model/line-diff.ts';
import styles from '../../parts/controls.module.css';
import { Diff } from '../../parts/Diff.tsx';
import { ErrorNotice } from '../../parts/Loading.tsx';
import { useReadOnly } from '../../parts/read-only.ts';

/** Shows how a project.yaml that an agent may have changed differs from the one in effect, and confirms it. */
export function ConfirmFile({ slug }: { readonly slug: string }): JSX.Element {
  const queries = useQueryClient();
  const readOnly = useReadOnly();
  const [etag, setEtag] = useState<string | undefined>(undefined);
  const confirm = useMutation({
    mutationFn: () => confirmFile(slug, etag),
    onSuccess: (answer) => setEtag(answer.etag),
    // The difference that was shown is outdated.
    onError: () => setEtag(undefined),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['projects'] }),
        queries.invalidateQueries({ queryKey: ['project', slug] }),
      ]),
  });
  const shown = etag === undefined ? undefined : confirm.data;
  return (
    <>
      {confirm.error === null ? null : <ErrorNotice error={confirm.error} />}
      {shown === undefined ? null : (
        <Diff lines={hunksOf(lineDiff(shown.inEffect ?? '', shown.current), 1)} wraps />
      )}
      <p>
        <button
          type="button"
          className={styles[shown === undefined ? 'button' : 'danger']}
          disabled={confirm.isPending || readOnly !== undefined}
          title={readOnly}
          onClick={() => confirm.mutate()}
        >
          {shown === undefined ? 'Show the change' : 'Confirm this version'}
        </button>
      </p>
    </>
  );
}
