import type { Clock } from '@svc/core';
import { timezoneFault } from '@svc/recurrence';

const ZONE_MS = 60_000;

/** The time zone of the host as an IANA name that `Intl` accepts, e.g. `Europe/Berlin`; `UTC` if Node has no name for it. */
export function hostZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return timeZone !== undefined && timezoneFault(timeZone) === null ? timeZone : 'UTC';
}

/**
 * The same with a cache for lists: asking the system takes longer than the rest of a list, and the zone may change
 * within a minute.
 */
export function createZoneCache(clock: Pick<Clock, 'mono'>): () => string {
  let known = { zone: '', until: Number.NEGATIVE_INFINITY };
  return () => {
    const now = clock.mono();
    if (now >= known.until) known = { zone: hostZone(), until: now + ZONE_MS };
    return known.zone;
  };
}
