import type { Clock } from '@svc/core';
import { timezoneFault } from '@svc/recurrence';

const ZONE_MS = 60_000;

/** Name of the host's time zone, e.g. `Europe/Berlin`, which `Intl` takes; `UTC` where Node has no such name for it. */
export function hostZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return timeZone !== undefined && timezoneFault(timeZone) === null ? timeZone : 'UTC';
}

/** The same for lists: asking the system takes longer than everything else in them, and a minute later it may have changed. */
export function createZoneMemory(clock: Pick<Clock, 'mono'>): () => string {
  let known = { zone: '', until: Number.NEGATIVE_INFINITY };
  return () => {
    const now = clock.mono();
    if (now >= known.until) known = { zone: hostZone(), until: now + ZONE_MS };
    return known.zone;
  };
}
