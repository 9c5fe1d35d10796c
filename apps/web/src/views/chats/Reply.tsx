import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type JSX, type ReactNode, useId, useState } from 'react';
import type { Chat } from '../../data/api-types.ts';
import { sendMessage } from '../../data/chat-changes.ts';
import { readUnsentText, storeUnsentText } from '../../data/unsent-text.ts';
import { useChatRuntime } from '../../data/use-runtimes.ts';
import { enforcedToolsText } from '../../model/runtime-text.ts';
import controls from '../../parts/controls.module.css';
import { READERS, useIsReader, useReadOnly } from '../../parts/read-only.ts';
import styles from './Chats.module.css';

/** Sends a message to a chat. */
export function Reply({ chat }: { readonly chat: Chat }): JSX.Element {
  const { project: slug, sessionId, archived, trigger, capability } = chat;
  const readOnly = useReadOnly();
  const held = useChatRuntime(chat);
  const { prompt, setPrompt } = usePrompt(`${slug}/${sessionId}`);
  const id = useId();
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: () => sendMessage({ slug, sessionId }, prompt),
    onSuccess: () => {
      setPrompt('');
      return queries.invalidateQueries({ queryKey: ['project', slug, 'chat', sessionId] });
    },
  });
  const isReady = prompt.trim() !== '' && !sending.isPending && readOnly === undefined;
  const send = (): void => {
    if (isReady) sending.mutate();
  };
  if (useIsReader()) return <Instead>{READERS}</Instead>;
  if (archived) return <Instead>This chat is archived. Unarchive it to continue.</Instead>;
  return (
    <form
      className={styles['reply']}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {trigger === null ? null : (
        <p id={id} className={styles['quiet']}>
          Messages here use the permissions of this trigger: {enforcedToolsText(capability, held)}.
        </p>
      )}
      <div className={styles['line']}>
        <textarea
          className={styles['message']}
          aria-label="Message"
          aria-describedby={trigger === null ? undefined : id}
          rows={2}
          value={prompt}
          onChange={({ target }) => setPrompt(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
          }}
        />
        <button type="submit" className={controls['button']} disabled={!isReady} title={readOnly}>
          Send
        </button>
      </div>
      {sending.error === null ? null : (
        <p role="alert" className={styles['refusal']}>
          {sending.error.message}
        </p>
      )}
    </form>
  );
}

/** The unsent text, which survives a reload. */
function usePrompt(name: string) {
  const [prompt, setPrompt] = useState(() => readUnsentText(name));
  const set = (text: string): void => {
    storeUnsentText(name, text);
    setPrompt(text);
  };
  return { prompt, setPrompt: set };
}

function Instead({ children }: { readonly children: ReactNode }): JSX.Element {
  return <p className={styles['quiet']}>{children}</p>;
}
