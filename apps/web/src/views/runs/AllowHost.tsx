import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { TriggerPath } from '../../data/trigger-changes.ts';
import controls from '../../parts/controls.module.css';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A host that the editor of a trigger adds to its hosts. Not in the address, where any link could set it. */
    allowHost?: string;
  }
}

interface AllowHostProps extends TriggerPath {
  /** The host with its port. */
  readonly host: string;
}

/** Opens the editor of a trigger with a host added to its hosts. */
export function AllowHost({ slug, name, host }: AllowHostProps): JSX.Element {
  const navigate = useNavigate();
  const open = (): Promise<void> =>
    navigate({
      to: '/projects/$slug/triggers/$name',
      params: { slug, name },
      state: { allowHost: host },
    });
  return (
    <button
      type="button"
      className={controls['button']}
      aria-label={`Allow… ${host}`}
      onClick={() => void open()}
    >
      Allow…
    </button>
  );
}
