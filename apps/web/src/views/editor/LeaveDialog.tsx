import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useBlocker } from '@tanstack/react-router';
import { type JSX, useRef } from 'react';
import controls from '../../parts/controls.module.css';
import dialogs from '../../parts/dialogs.module.css';
import { usePopupContainer } from '../../parts/popup-container.ts';

interface LeaveDialogProps {
  /** Whether there are unsaved changes, called when the user is about to leave. */
  readonly isHeld: () => boolean;
}

/** Asks before unsaved changes are lost: by a link, by Back, by closing the page. */
export function LeaveDialog({ isHeld }: LeaveDialogProps): JSX.Element {
  const stay = useRef<HTMLButtonElement>(null);
  const blocker = useBlocker({
    shouldBlockFn: isHeld,
    enableBeforeUnload: isHeld,
    withResolver: true,
  });
  return (
    <AlertDialog.Root
      open={blocker.status === 'blocked'}
      onOpenChange={(isOpen) => {
        if (!isOpen) blocker.reset?.();
      }}
    >
      <AlertDialog.Portal container={usePopupContainer()}>
        <AlertDialog.Backdrop className={dialogs['backdrop']} />
        <AlertDialog.Popup
          className={`${dialogs['dialog']} ${dialogs['narrow']}`}
          initialFocus={stay}
        >
          <AlertDialog.Title className={dialogs['title']}>Leave without saving?</AlertDialog.Title>
          <AlertDialog.Description className={dialogs['words']}>
            Your changes are not saved to project.yaml and will be lost.
          </AlertDialog.Description>
          <div className={dialogs['buttons']}>
            <AlertDialog.Close ref={stay} className={controls['button']}>
              Stay
            </AlertDialog.Close>
            <button
              type="button"
              className={controls['danger']}
              onClick={() => blocker.proceed?.()}
            >
              Leave
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
