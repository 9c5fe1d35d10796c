import { localDay, startOfLocalDay } from '@svc/core';

/** Counts of one trigger. */
export interface Tally {
  /** Slots. */
  fires: number;
  /** Slots by day in the time zone of the host. */
  readonly days: Map<string, number>;
  /** Slots whose turn started. */
  started: number;
  /** Slots during an unfinished run of the trigger. */
  overlaps: number;
  /** Slots that waited for the run before them. */
  held: number;
  skippedOverlap: number;
  skippedLimit: number;
  /** Slots that waited for capacity. */
  crowded: number;
  /** Longest time from the scheduled start of a slot to the start of its turn, in milliseconds. */
  longestWaitMs: number;
  /** Millionths of a US dollar. */
  costMicrousd: number;
}

/** Creates an empty tally. */
export function createTally(): Tally {
  const nothing = { fires: 0, started: 0, overlaps: 0, held: 0, crowded: 0, longestWaitMs: 0 };
  return { ...nothing, days: new Map(), skippedOverlap: 0, skippedLimit: 0, costMicrousd: 0 };
}

/** Creates a function that returns the day of an instant in the time zone of the host, and caches the last day. */
export function createDayFormatter(): (at: number) => string {
  let day = '';
  let from = 0;
  let until = 0;
  return (at) => {
    if (at >= from && at < until) return day;
    from = startOfLocalDay(at);
    until = new Date(from).setDate(new Date(from).getDate() + 1);
    day = localDay(at);
    return day;
  };
}
