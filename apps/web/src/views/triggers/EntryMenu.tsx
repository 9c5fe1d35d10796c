import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Menu } from '@base-ui/react/menu';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type JSX, useRef, useState } from 'react';
import { deleteTrigger } from '../../data/trigger-changes.ts';
import type { Entry } from '../../model/entries.ts';
import { inertText } from '../../model/inert-text.ts';
import controls from '../../parts/controls.module.css';
import dialogs from '../../parts/dialogs.module.css';
import { Ellipsis } from '../../parts/icons.ts';
import { usePopupContainer } from '../../parts/popup-container.ts';
import { useFileReadOnly } from '../../parts/read-only.ts';

interface EntryMenuProps {
  readonly entry: Entry;
  /** Called with the error when the request fails, and with null when the next one starts. */
  readonly onRefusal: (refusal: Error | null) => void;
}

/** The menu with the further actions of a trigger. */
export function EntryMenu({ entry, onRefusal }: EntryMenuProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  // A dialog is created on request: a long list would otherwise create one for each row.
  const [hasAsked, setAsked] = useState(false);
  const ask = (): void => {
    setAsked(true);
    setAsking(true);
  };
  const place = usePopupContainer();
  const { project: slug, name } = entry;
  const noWriting = useFileReadOnly(slug);
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className={controls['quiet']} aria-label={`More actions: ${inertText(name)}`}>
          <Ellipsis size={18} aria-hidden />
        </Menu.Trigger>
        <Menu.Portal container={place}>
          <Menu.Positioner className={controls['popups']} sideOffset={4} align="end">
            <Menu.Popup className={controls['menu']}>
              <Menu.Item
                className={controls['item']}
                render={<Link to="/projects/$slug/triggers/$name" params={{ slug, name }} />}
              >
                {entry.invalid === null ? 'Edit' : 'Replace'}
              </Menu.Item>
              <Menu.Item
                className={controls['item']}
                render={<Link to="/projects/$slug/triggers/$name/why" params={{ slug, name }} />}
              >
                Why?
              </Menu.Item>
              <Menu.Item
                className={controls['item']}
                disabled={noWriting !== undefined}
                title={noWriting}
                onClick={ask}
              >
                Delete
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {hasAsked ? (
        <DeleteDialog
          entry={entry}
          isOpen={isAsking}
          onOpenChange={setAsking}
          onRefusal={onRefusal}
        />
      ) : null}
    </>
  );
}

interface DeleteDialogProps extends EntryMenuProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

function DeleteDialog({ entry, isOpen, onOpenChange, onRefusal }: DeleteDialogProps): JSX.Element {
  const { project: slug, name, trigger } = entry;
  const queries = useQueryClient();
  const noWriting = useFileReadOnly(slug);
  const cancel = useRef<HTMLButtonElement>(null);
  const removal = useMutation({
    mutationFn: () => deleteTrigger({ slug, name }, trigger?.etag ?? null),
    onMutate: () => onRefusal(null),
    onError: onRefusal,
    onSettled: () => {
      onOpenChange(false);
      return queries.invalidateQueries({ queryKey: ['project', slug] });
    },
  });
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <AlertDialog.Portal container={usePopupContainer()}>
        <AlertDialog.Backdrop className={dialogs['backdrop']} />
        <AlertDialog.Popup
          className={`${dialogs['dialog']} ${dialogs['narrow']}`}
          initialFocus={cancel}
        >
          <AlertDialog.Title className={dialogs['title']}>
            Delete {inertText(name)}?
          </AlertDialog.Title>
          <AlertDialog.Description className={dialogs['words']}>
            This removes its entry from project.yaml, and it no longer fires. Its runs and chats are
            kept.
          </AlertDialog.Description>
          <div className={dialogs['buttons']}>
            <AlertDialog.Close ref={cancel} className={controls['button']}>
              Cancel
            </AlertDialog.Close>
            <button
              type="button"
              className={controls['danger']}
              disabled={removal.isPending || noWriting !== undefined}
              title={noWriting}
              onClick={() => removal.mutate()}
            >
              Delete
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
