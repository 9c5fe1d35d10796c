import { Dialog } from '@base-ui/react/dialog';
import type { JSX } from 'react';
import controls from '../../parts/controls.module.css';
import dialogs from '../../parts/dialogs.module.css';
import { usePopupContainer } from '../../parts/popup-container.ts';
import { KEYS, switchKeys, useKeysOn } from '../keys.ts';
import styles from './KeysDialog.module.css';

/** Lists the keyboard shortcuts and lets the user disable them. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const isOn = useKeysOn();
  return (
    <Dialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Dialog.Portal container={usePopupContainer()}>
        <Dialog.Backdrop className={dialogs['backdrop']} />
        <Dialog.Popup className={`${dialogs['dialog']} ${dialogs['narrow']}`}>
          <Dialog.Title className={dialogs['title']}>Keyboard shortcuts</Dialog.Title>
          <dl className={styles['keys']}>
            {Object.entries(KEYS).map(([key, words]) => (
              <div key={key} className={styles['key']}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
          <label className={styles['switch']}>
            <input
              type="checkbox"
              checked={isOn}
              onChange={(event) => switchKeys(event.target.checked)}
            />
            Enable keyboard shortcuts
          </label>
          <div className={dialogs['buttons']}>
            <Dialog.Close className={controls['button']}>Close</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
