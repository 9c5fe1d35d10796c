import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import type { Chat } from '../../data/api-types.ts';
import { cancelTurn, forkChat, setArchived } from '../../data/chat-changes.ts';
import controls from '../../parts/controls.module.css';
import { useReadOnly } from '../../parts/read-only.ts';
import styles from './Chats.module.css';

/** The actions of a chat. */
export function ChatActions({ chat }: { readonly chat: Chat }): JSX.Element {
  const { project: slug, sessionId, running, archived } = chat;
  const [refusal, setRefusal] = useState<Error | null>(null);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const readOnly = useReadOnly();
  const callbacks = { onMutate: () => setRefusal(null), onError: setRefusal };
  const cancel = useMutation({
    ...callbacks,
    mutationFn: () => cancelTurn({ slug, sessionId }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', slug] }),
  });
  const fork = useMutation({
    ...callbacks,
    mutationFn: () => forkChat({ slug, sessionId }),
    onSuccess: (copy) =>
      navigate({
        to: '/projects/$slug/chats/$sessionId',
        params: { slug, sessionId: copy.sessionId },
      }),
  });
  const archiving = useMutation({
    ...callbacks,
    mutationFn: (wanted: boolean) => setArchived({ slug, sessionId }, wanted),
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', slug] }),
  });
  return (
    <>
      <div className={styles['actions']}>
        {running ? (
          <button
            type="button"
            className={controls['button']}
            disabled={cancel.isPending || readOnly !== undefined}
            title={readOnly}
            onClick={() => cancel.mutate()}
          >
            Cancel
          </button>
        ) : null}
        <button
          type="button"
          className={controls['button']}
          disabled={fork.isPending || readOnly !== undefined}
          title={readOnly}
          onClick={() => fork.mutate()}
        >
          Fork
        </button>
        <button
          type="button"
          className={controls['button']}
          disabled={archiving.isPending || readOnly !== undefined}
          title={readOnly}
          onClick={() => archiving.mutate(!archived)}
        >
          {archived ? 'Unarchive' : 'Archive'}
        </button>
      </div>
      {refusal === null ? null : (
        <p role="alert" className={styles['refusal']}>
          {refusal.message}
        </p>
      )}
    </>
  );
}
