import { hostZone, zoneNamed } from './zones.ts';

/** One change of the clocks of a zone. */
export interface ClockChange {
  /** The first instant that goes by the new offset, in milliseconds since the epoch. */
  readonly at: number;
  /** Offsets of local time from UTC in milliseconds; east of Greenwich is positive. */
  readonly before: number;
  readonly after: number;
}

/**
 * The changes of the clocks of a zone in (afterMs, untilMs], oldest first; none for a name that is no zone.
 *
 * @param timezone IANA name, or null for the zone of the host
 */
export function clockChanges(
  timezone: string | null,
  afterMs: number,
  untilMs: number,
): readonly ClockChange[] {
  const zone = timezone === null ? hostZone(false) : zoneNamed(timezone);
  const changes: ClockChange[] = [];
  let stretch = zone?.stretchAt(afterMs) ?? null;
  while (zone !== null && stretch !== null && stretch.to <= untilMs) {
    const next = zone.stretchAt(stretch.to);
    const change = { at: stretch.to, before: stretch.offset, after: next.offset };
    if (change.before !== change.after && change.at > afterMs) changes.push(change);
    stretch = next;
  }
  return changes;
}
