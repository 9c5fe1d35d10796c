import { useSyncExternalStore } from 'react';

/** Whether there is room for tables and a sidebar; else there are cards and a drawer. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}

const WIDE = '(width >= 900px)';

function subscribe(listener: () => void): () => void {
  const media = matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
