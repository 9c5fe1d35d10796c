import { type JSX, Suspense, useState } from 'react';
import { EMPTY_DRAFT } from '../../data/new-project.ts';
import controls from '../../parts/controls.module.css';
import { Plus } from '../../parts/icons.ts';
import { lazyComponent } from '../../parts/lazy-component.ts';
import { useReadOnly } from '../../parts/read-only.ts';

const NewProjectDialog = lazyComponent(
  async () => (await import('./NewProjectDialog.tsx')).NewProjectDialog,
);

/**
 * Opens the dialog that creates a project; unsent input stays until the project is created or the dialog is
 * discarded.
 */
export function NewProject(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const readOnly = useReadOnly();
  return (
    <>
      <button
        type="button"
        className={controls['primary']}
        data-key="n"
        disabled={readOnly !== undefined}
        title={readOnly}
        onClick={() => setOpen(true)}
      >
        <Plus size={18} aria-hidden />
        New project
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <NewProjectDialog draft={draft} onDraft={setDraft} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
