import { type JSX, Suspense, useCallback, useState } from 'react';
import controls from '../../parts/controls.module.css';
import { Keyboard } from '../../parts/icons.ts';
import { lazyComponent } from '../../parts/lazy-component.ts';
import { useKeys } from '../keys.ts';

const KeysDialog = lazyComponent(async () => (await import('./KeysDialog.tsx')).KeysDialog);

/** Handles the keyboard shortcuts of the page and opens their list. */
export function Help({ hasButton }: { readonly hasButton: boolean }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  useKeys(useCallback(() => setOpen(true), []));
  return (
    <>
      {hasButton ? (
        <button
          type="button"
          className={controls['quiet']}
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts"
          onClick={() => setOpen(true)}
        >
          <Keyboard size={18} aria-hidden />
        </button>
      ) : null}
      {isOpen ? (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
