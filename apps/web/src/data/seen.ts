import { useSyncExternalStore } from 'react';
import { lastLook } from '../model/last-look.ts';

const KEY = 'svc.seenUntil';
const listeners = new Set<() => void>();

/** Until when all that ended has been seen, UTC ISO text; at first the end of the last visit. */
function seenUntil(): string {
  const stored = localStorage.getItem(KEY);
  if (stored !== null && Number.isFinite(Date.parse(stored))) return stored;
  const { since } = lastLook(Date.now());
  localStorage.setItem(KEY, since);
  return since;
}

/** Notes that all that has ended up to an instant (UTC ISO text) has been seen. */
export function markSeen(until: string): void {
  localStorage.setItem(KEY, until);
  for (const listener of listeners) listener();
}

export function useSeenUntil(): string {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, seenUntil);
}
