import { useSyncExternalStore } from 'react';

/** Whether the window is wide enough for tables and a sidebar; otherwise there are cards and a drawer. */
export function useIsWideWindow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}

const WIDE = '(width >= 900px)';

function subscribe(listener: () => void): () => void {
  const media = matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
