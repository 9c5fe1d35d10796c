import { DAY_MS } from './time.ts';
import type { ZoneData } from './tzif.ts';
import { zoneDifference } from './zone-difference.ts';

const YEARS_MS = 3 * 366 * DAY_MS;

// Names that say no more than a rule does come first, so that `CET-1CEST,…` is CET and no city.
const PLAIN = [
  ...['UTC', 'WET', 'CET', 'EET', 'EST5EDT', 'CST6CDT', 'MST7MDT', 'PST8PDT'],
  ...Array.from({ length: 14 }, (_, n) => `Etc/GMT-${n + 1}`),
  ...Array.from({ length: 12 }, (_, n) => `Etc/GMT+${n + 1}`),
];

/**
 * An IANA name whose zone has the offsets of `data` in the three years from an instant on (milliseconds), by the data of the
 * JavaScript engine; null where none has.
 */
export function zoneLike(data: ZoneData, from: number): string | null {
  // Most zones are ruled out by their offset at one of two instants, which costs far less than a comparison.
  const probes = [from, from + 183 * DAY_MS];
  const isLike = (name: string): boolean =>
    probes.every((at) => zoneDifference(name, data, at, at + 1) === null) &&
    zoneDifference(name, data, from, from + YEARS_MS) === null;
  return [...PLAIN, ...Intl.supportedValuesOf('timeZone')].find(isLike) ?? null;
}
