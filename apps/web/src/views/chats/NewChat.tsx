import { Dialog } from '@base-ui/react/dialog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { createChat } from '../../data/chat-changes.ts';
import controls from '../../parts/controls.module.css';
import dialogs from '../../parts/dialogs.module.css';
import { usePopupContainer } from '../../parts/popup-container.ts';
import { useReadOnly } from '../../parts/read-only.ts';
import styles from './NewChat.module.css';

/** Starts a chat with the keeper and opens it. */
export function NewChat({ slug }: { readonly slug: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const readOnly = useReadOnly();
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger
        className={controls['button']}
        disabled={readOnly !== undefined}
        title={readOnly}
      >
        New chat
      </Dialog.Trigger>
      <Dialog.Portal container={usePopupContainer()}>
        <Dialog.Backdrop className={dialogs['backdrop']} />
        <Dialog.Popup className={dialogs['dialog']}>
          <Dialog.Title className={dialogs['title']}>New chat</Dialog.Title>
          <Dialog.Description className={dialogs['words']}>
            The chat runs as the keeper, with all keeper tools.
          </Dialog.Description>
          <Form slug={slug} onStarted={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface FormProps {
  readonly slug: string;
  readonly onStarted: () => void;
}

function Form({ slug, onStarted }: FormProps): JSX.Element {
  const [name, setName] = useState('');
  const [prompt, setPrompt] = useState('');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () => createChat(slug, prompt, name.trim()),
    onSuccess: ({ sessionId }) => {
      onStarted();
      void queries.invalidateQueries({ queryKey: ['project', slug, 'chats'] });
      return navigate({
        to: '/projects/$slug/chats/$sessionId',
        params: { slug, sessionId },
      });
    },
  });
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <label className={styles['label']}>
        Name
        <input
          className={styles['field']}
          value={name}
          placeholder="Taken from the prompt"
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <label className={styles['label']}>
        Prompt
        <textarea
          className={styles['field']}
          rows={6}
          value={prompt}
          onChange={({ target }) => setPrompt(target.value)}
        />
      </label>
      {start.error === null ? null : (
        <p role="alert" className={styles['refusal']}>
          {start.error.message}
        </p>
      )}
      <div className={dialogs['buttons']}>
        <Dialog.Close className={controls['button']}>Cancel</Dialog.Close>
        <button
          type="submit"
          className={controls['primary']}
          disabled={start.isPending || prompt.trim() === ''}
        >
          Start
        </button>
      </div>
    </form>
  );
}
