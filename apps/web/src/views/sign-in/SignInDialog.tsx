import { Dialog } from '@base-ui/react/dialog';
import type { JSX } from 'react';
import type { Session } from '../../data/session.ts';
import dialogs from '../../parts/dialogs.module.css';
import { usePopupContainer } from '../../parts/popup-container.ts';
import { SignInPanel } from './SignInPanel.tsx';

/** Asks for the sign-in on top of a view, which keeps its unsaved input. */
export function SignInDialog({ session }: { readonly session: Session }): JSX.Element {
  return (
    <Dialog.Root open disablePointerDismissal>
      <Dialog.Portal container={usePopupContainer()}>
        <Dialog.Backdrop className={dialogs['over']} />
        <Dialog.Popup
          className={`${dialogs['dialog']} ${dialogs['narrow']} ${dialogs['top']}`}
          // Escape would also close the dialog below.
          onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
        >
          <Dialog.Title className={dialogs['title']}>Sign in again</Dialog.Title>
          <Dialog.Description className={dialogs['words']}>
            Your session has ended. What you typed on the page is kept.
          </Dialog.Description>
          <SignInPanel session={session} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
