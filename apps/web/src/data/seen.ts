import { useSyncExternalStore } from 'react';
import { lastLook } from './last-look.ts';
import { createRemembered } from './remembered.ts';

const SEEN_UNTIL = createRemembered('svc.seenUntil');

/** Until when all that ended has been seen, UTC ISO text; at first the end of the last visit. */
function seenUntil(): string {
  const known = SEEN_UNTIL.read();
  if (known !== null && Number.isFinite(Date.parse(known))) return known;
  const { since } = lastLook(Date.now());
  SEEN_UNTIL.write(since);
  return since;
}

/** Notes that all that has ended up to an instant (UTC ISO text) has been seen. */
export const markSeen = SEEN_UNTIL.write;

export function useSeenUntil(): string {
  return useSyncExternalStore(SEEN_UNTIL.follow, seenUntil);
}
