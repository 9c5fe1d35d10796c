import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/** The offset of local time from UTC at an instant, both in milliseconds; east of Greenwich is positive. */
export type OffsetProbe = (instant: number) => number;

/**
 * A stretch of time with one offset. Instants are milliseconds since the epoch; local times are instants plus offset.
 */
export interface Stretch {
  /** The first instant for which this stretch may be used. */
  readonly from: number;
  /** The first instant after it. */
  readonly to: number;
  readonly offset: number;
  /** The first instant that is a whole local minute, or -Infinity where the stretch has no known beginning. */
  readonly firstMinute: number;
  /** Local time up to which minutes were already met in an earlier pass, or -Infinity. */
  readonly metUntil: number;
  /** First local minute that the clock jumped over at the beginning, or null when fires are not made up for. */
  readonly skippedFrom: number | null;
}

export interface Zone {
  stretchAt(instant: number): Stretch;
}

const WINDOW_MS = 366 * DAY_MS;
const LOOK_BACK_MS = 2 * DAY_MS;
// No zone has kept an offset for less than six days since 1970.
const PROBE_STEP_MS = 2 * DAY_MS;
const MAX_WINDOWS = 64;

/** cron(8): a clock change of three hours or more is a correction: nothing is made up for and nothing held back. */
const CORRECTION_MS = 3 * HOUR_MS;

/** A zone whose changes are found by probing, a window of about a year at a time, and kept. */
export function createZone(probe: OffsetProbe): Zone {
  const windows = new Map<number, readonly Stretch[]>();
  let last: Stretch | null = null;
  const windowAt = (instant: number): readonly Stretch[] => {
    const index = Math.floor(instant / WINDOW_MS);
    const known = windows.get(index);
    if (known !== undefined) return known;
    const built = buildWindow(probe, index * WINDOW_MS);
    if (windows.size >= MAX_WINDOWS) windows.clear();
    windows.set(index, built);
    return built;
  };
  return {
    stretchAt(instant) {
      if (last !== null && instant >= last.from && instant < last.to) return last;
      const stretches = windowAt(instant);
      let found = stretches[0];
      for (const stretch of stretches) if (instant >= stretch.from) found = stretch;
      // A window always has a stretch; the type cannot say so.
      last = found as Stretch;
      return last;
    },
  };
}

/** A zone that never changes its offset. */
export function fixedZone(offset: number): Zone {
  const always: Stretch = {
    from: Number.NEGATIVE_INFINITY,
    to: Number.POSITIVE_INFINITY,
    offset,
    firstMinute: Number.NEGATIVE_INFINITY,
    metUntil: Number.NEGATIVE_INFINITY,
    skippedFrom: null,
  };
  return { stretchAt: () => always };
}

function buildWindow(probe: OffsetProbe, start: number): readonly Stretch[] {
  const end = start + WINDOW_MS;
  const stretches: Stretch[] = [];
  let current: Stretch = {
    from: start,
    to: end,
    offset: probe(start - LOOK_BACK_MS),
    firstMinute: Number.NEGATIVE_INFINITY,
    metUntil: Number.NEGATIVE_INFINITY,
    skippedFrom: null,
  };
  for (const change of changesBetween(probe, start - LOOK_BACK_MS, end)) {
    if (change.at > start) stretches.push({ ...current, to: change.at });
    current = stretchAfter(current, change, start, end);
  }
  stretches.push(current);
  return stretches;
}

interface Change {
  readonly at: number;
  readonly offset: number;
}

function changesBetween(probe: OffsetProbe, start: number, end: number): Change[] {
  const changes: Change[] = [];
  let at = start;
  let offset = probe(start);
  while (at < end) {
    const next = Math.min(at + PROBE_STEP_MS, end);
    if (probe(next) === offset) {
      at = next;
      continue;
    }
    at = firstChange(probe, at, next, offset);
    offset = probe(at);
    if (at < end) changes.push({ at, offset });
  }
  return changes;
}

/** The first second in (low, high] at which the offset is no longer `offset`. */
function firstChange(probe: OffsetProbe, low: number, high: number, offset: number): number {
  let before = low;
  let after = high;
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (probe(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** cron(8): what local minutes a clock change skips or repeats. Changes lie days apart, so none carries over. */
function stretchAfter(before: Stretch, change: Change, start: number, end: number): Stretch {
  const firstLocal = Math.ceil((change.at + change.offset) / MINUTE_MS) * MINUTE_MS;
  const lastLocal = Math.ceil((change.at + before.offset) / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  const jump = firstLocal - lastLocal;
  const correction = jump > CORRECTION_MS || jump <= -CORRECTION_MS;
  return {
    from: Math.max(change.at, start),
    to: end,
    offset: change.offset,
    firstMinute: firstLocal - change.offset,
    metUntil: correction || jump > 0 ? Number.NEGATIVE_INFINITY : lastLocal,
    skippedFrom: !correction && jump > MINUTE_MS ? lastLocal + MINUTE_MS : null,
  };
}
