import { localDay, startOfLocalDay } from '@svc/core';

/** What was counted of one trigger. */
export interface Tally {
  /** Slots that fell due. */
  fires: number;
  /** The same by day of the host. */
  readonly days: Map<string, number>;
  /** Those whose turn began. */
  started: number;
  /** Those that fell due while a run of the trigger went on. */
  overlaps: number;
  /** Those that waited for the run before them. */
  held: number;
  skippedOverlap: number;
  skippedLimit: number;
  /** Those that waited for a place among the turns that may run at a time. */
  crowded: number;
  /** The longest time from when a slot was to start to the beginning of its turn, in milliseconds. */
  longestWaitMs: number;
  /** Millionths of a US dollar. */
  costMicrousd: number;
}

/** Makes a tally of nothing. */
export function createTally(): Tally {
  const nothing = { fires: 0, started: 0, overlaps: 0, held: 0, crowded: 0, longestWaitMs: 0 };
  return { ...nothing, days: new Map(), skippedOverlap: 0, skippedLimit: 0, costMicrousd: 0 };
}

/** Makes a teller of the day of the host of an instant that remembers the last day. */
export function createDayTeller(): (at: number) => string {
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
