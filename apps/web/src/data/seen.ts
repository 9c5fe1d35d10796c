import { useSyncExternalStore } from 'react';
import { lastVisit } from './last-visit.ts';
import { createStoredText } from './stored-text.ts';

const SEEN_UNTIL = createStoredText('svc.seenUntil');

/** The time up to which all finished runs are read, UTC ISO text; initially the end of the last visit. */
function seenUntil(): string {
  const known = SEEN_UNTIL.read();
  if (known !== null && Number.isFinite(Date.parse(known))) return known;
  const { since } = lastVisit(Date.now());
  SEEN_UNTIL.write(since);
  return since;
}

/** Marks all runs that ended up to a time (UTC ISO text) as read. */
export const markSeen = SEEN_UNTIL.write;

export function useSeenUntil(): string {
  return useSyncExternalStore(SEEN_UNTIL.follow, seenUntil);
}
