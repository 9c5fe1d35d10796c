import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type JSX, useState } from 'react';
import { pauseAll } from '../../data/pause-changes.ts';
import type { RunningTurn } from '../../data/service.ts';
import { inertText } from '../../model/inert-text.ts';
import controls from '../../parts/controls.module.css';
import dialogs from '../../parts/dialogs.module.css';
import { usePopupContainer } from '../../parts/popup-container.ts';
import styles from './PauseDialog.module.css';

interface PauseDialogProps {
  readonly running: readonly RunningTurn[];
  readonly onClose: () => void;
}

const LONGEST_REASON = 500;

/** Asks for the reason of the pause, and whether running turns are cancelled. */
export function PauseDialog({ running, onClose }: PauseDialogProps): JSX.Element {
  const [reason, setReason] = useState('');
  const [stopRunning, setStopRunning] = useState(false);
  const queries = useQueryClient();
  const pause = useMutation({
    mutationFn: pauseAll,
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    pause.mutate({ reason, stopRunning });
  };
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <AlertDialog.Portal container={usePopupContainer()}>
        <AlertDialog.Backdrop className={dialogs['backdrop']} />
        <AlertDialog.Popup className={dialogs['dialog']}>
          <AlertDialog.Title className={dialogs['title']}>Pause all triggers?</AlertDialog.Title>
          <AlertDialog.Description className={dialogs['words']}>
            No trigger in any project fires until you resume, even after a restart. Skipped slots
            will not run later. Run now and chats still work.
          </AlertDialog.Description>
          <form onSubmit={submit} className={styles['fields']}>
            <label className={styles['field']}>
              <span className={styles['label']}>Reason</span>
              <input
                className={controls['field']}
                value={reason}
                maxLength={LONGEST_REASON}
                autoComplete="off"
                placeholder="Optional, visible to everyone"
                onChange={({ target }) => setReason(target.value)}
              />
            </label>
            <label className={styles['choice']}>
              <input
                type="checkbox"
                checked={stopRunning}
                onChange={({ target }) => setStopRunning(target.checked)}
              />
              {stopText(running)}
            </label>
            {pause.error === null ? null : (
              <p role="alert" className={styles['error']}>
                {inertText(pause.error.message)}
              </p>
            )}
            <div className={dialogs['buttons']}>
              <AlertDialog.Close className={controls['button']}>Cancel</AlertDialog.Close>
              <button type="submit" className={controls['danger']} disabled={pause.isPending}>
                Pause all
              </button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function stopText(running: readonly RunningTurn[]): string {
  const count = running.filter(({ runId }) => runId !== null).length;
  const now = count === 0 ? 'none running' : `${count} running`;
  return `Also cancel running turns started by triggers (${now})`;
}
