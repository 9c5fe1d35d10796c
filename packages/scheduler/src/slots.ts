import { type Checked, success } from '@svc/core';
import type { SlotCursor } from '@svc/records';
import { countFires, nextFireMs, parseInterval, type Recurrence } from '@svc/recurrence';
import type { ArmRequest } from './contract.ts';

/** Slots in (from, until]: their number, the newest, and the one before it (`from` if there is none). */
export interface Tally {
  readonly count: number;
  readonly last: number;
  readonly before: number;
}

/** A count in progress: `count` slots are in (from, at], and `at` is the newest of them or `from`. */
export interface Counting {
  readonly from: number;
  at: number;
  count: number;
  /** The slot before `at`; null if unknown. */
  before: number | null;
}

export function countingFrom(slot: number): Counting {
  return { from: slot, at: slot, count: 0, before: slot };
}

interface Known {
  from: number;
  next: number | null;
}

/** Few expressions are shared by many triggers; caching all others would cost more than it saves. */
const MAX_KNOWN = 1024;

/** Next slots and counts of slots, cached for each recurrence because many triggers share an expression. */
export class SlotMath {
  private readonly known = new Map<Recurrence, Known>();
  private readonly counted = new WeakMap<Recurrence, Counting>();

  /** The first slot later than `after`, or null. Throws what `nextFireMs` throws. */
  next(recurrence: Recurrence, after: number): number | null {
    if (recurrence.kind === 'interval') return nextFireMs(recurrence, after);
    const known = this.known.get(recurrence);
    if (known === undefined) {
      const next = nextFireMs(recurrence, after);
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(recurrence, { from: after, next });
      return next;
    }
    // No slot lies between `from` and `next`, so every instant in between has the same answer.
    if (after >= known.from && (known.next === null || after < known.next)) return known.next;
    known.next = nextFireMs(recurrence, after);
    known.from = after;
    return known.next;
  }

  /**
   * Continues a count, from where the count of another trigger ended if that began at the same slot. Visits at most
   * `limit` slots and returns the tally once it is complete.
   */
  step(recurrence: Recurrence, counting: Counting, until: number, limit: number): Tally | null {
    // The clock may have been set back during the count.
    if (counting.at > until) Object.assign(counting, countingFrom(counting.from));
    const earlier = this.counted.get(recurrence);
    if (earlier?.from === counting.from && earlier.at > counting.at && earlier.at <= until) {
      Object.assign(counting, earlier);
    }
    const part = countFires(recurrence, counting.at, until, limit);
    const count = counting.count + part.count;
    if (!part.done) {
      Object.assign(counting, { at: part.last, count, before: null });
      return null;
    }
    if (part.last !== null) {
      const before = countFires(recurrence, counting.at, part.last - 1, limit).last;
      Object.assign(counting, { at: part.last, count, before: before ?? counting.at });
    }
    if (counting.before === null) {
      Object.assign(counting, countingFrom(counting.from));
      return null;
    }
    return { count: counting.count, last: counting.at, before: counting.before };
  }

  /** Discards what was computed for a recurrence whose meaning changed with the host's time zone. */
  forget(recurrence: Recurrence): void {
    this.known.delete(recurrence);
    this.counted.delete(recurrence);
  }

  /** Keeps a long count for the next trigger with the same expression. */
  remember(recurrence: Recurrence, counting: Counting): void {
    this.counted.set(recurrence, { ...counting });
  }
}

/** The cursor to continue with. */
export interface Start {
  readonly cursor: SlotCursor;
  /** Whether it differs from the stored cursor. */
  readonly store: boolean;
  /** Whether slots before now count, which they do if the trigger was already armed. */
  readonly resumed: boolean;
}

/** Continues from a stored cursor of the same schedule; any other arming starts now. */
export function startFrom(request: ArmRequest, stored: SlotCursor | undefined, now: number): Start {
  if (stored === undefined || stored.scheduleHash !== request.scheduleHash) {
    const { scheduleHash } = request;
    const cursor = { scheduleHash, anchor: now, armedSince: now, cursor: now };
    return { cursor, store: true, resumed: false };
  }
  if (stored.cursor <= now) return { cursor: stored, store: false, resumed: true };
  return { cursor: putBack(stored, now), store: true, resumed: true };
}

/** A cursor that starts again at `now`, to which the clock was set back; the grid of an interval stays. */
function putBack(cursor: SlotCursor, now: number): SlotCursor {
  return { ...cursor, armedSince: Math.min(cursor.armedSince, now), cursor: now };
}

/** The recurrence of a request; an interval's grid goes through the anchor. */
export function recurrenceOf(request: ArmRequest, anchor: number): Checked<Recurrence> {
  const { schedule } = request;
  if (schedule.kind === 'cron') return success(schedule.recurrence);
  return parseInterval(schedule.text, { anchor });
}
