import { useQuery } from '@tanstack/react-query';
import { type JSX, Suspense, useState } from 'react';
import { statusQuery } from '../../data/service.ts';
import controls from '../../parts/controls.module.css';
import { lazyComponent } from '../../parts/lazy-component.ts';
import { useReadOnly } from '../../parts/read-only.ts';

const PauseDialog = lazyComponent(async () => (await import('./PauseDialog.tsx')).PauseDialog);

/** Opens the dialog that pauses all triggers; renders nothing while they are paused. */
export function PauseAll(): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(statusQuery);
  const readOnly = useReadOnly();
  if (data?.paused !== null) return null;
  return (
    <>
      <button
        type="button"
        className={controls['button']}
        disabled={readOnly !== undefined}
        title={readOnly}
        onClick={() => setOpen(true)}
      >
        Pause all
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <PauseDialog running={data.running} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
