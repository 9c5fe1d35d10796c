import type { ZoneData } from './tzif.ts';
import { hostZone, zoneNamed } from './zones.ts';

/** From when on two sources have a zone at different offsets. Instants and offsets in milliseconds. */
export interface ZoneDifference {
  readonly from: number;
  /** Local time minus UTC, by which slots are computed. */
  readonly ours: number;
  readonly theirs: number;
}

/**
 * Compares the zone data by which slots are computed, which are those of the JavaScript engine, with another source's, in
 * [from, until). Gives the first difference, or null for none.
 *
 * @param zone IANA name; null for the zone of the host. One that the engine does not know differs in nothing.
 */
export function zoneDifference(
  zone: string | null,
  data: ZoneData,
  from: number,
  until: number,
): ZoneDifference | null {
  const known = zone === null ? hostZone(true) : zoneNamed(zone);
  let at = from;
  while (known !== null && at < until) {
    const stretch = known.stretchAt(at);
    const ours = stretch.offset;
    const theirs = data.offsetAt(at);
    if (ours !== theirs) return { from: at, ours, theirs };
    at = Math.min(stretch.to, data.changeAfter(at) ?? until);
  }
  return null;
}
