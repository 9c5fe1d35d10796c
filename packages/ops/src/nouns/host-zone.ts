import type { Clock } from '@svc/core';

const ZONE_MS = 60_000;

/** Name of the host's time zone, e.g. `Europe/Berlin`; `local time` where a file without a name sets it. */
export function hostZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return timeZone ?? 'local time';
}

/** A short text that differs between zones of the host; one without a name is told by its offsets in some months. */
export function hostZoneMark(): string {
  const zone = hostZone();
  if (zone !== 'local time') return zone;
  const offsets = Array.from({ length: 24 }, (_, month) =>
    new Date(Date.UTC(2025, month, 15)).getTimezoneOffset(),
  );
  return offsets.join();
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
