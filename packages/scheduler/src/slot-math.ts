import { countFires, nextFireMs, type Recurrence } from '@svc/recurrence';

/** Slots in (from, until]: how many, the newest, and the one before it (`from` where there is none). */
export interface Tally {
  readonly count: number;
  readonly last: number;
  readonly before: number;
}

/** A count under way: `count` slots lie in (from, at], and `at` is the newest of them or `from`. */
export interface Counting {
  readonly from: number;
  at: number;
  count: number;
  /** The slot before `at`, null where it is not known. */
  before: number | null;
}

export function countingFrom(slot: number): Counting {
  return { from: slot, at: slot, count: 0, before: slot };
}

interface Known {
  from: number;
  next: number | null;
}

/** Expressions that many triggers share are few; remembering all others would cost more than it saves. */
const MAX_KNOWN = 1024;

/** Next slots and counts of slots, remembered per recurrence: many triggers share one expression. */
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
   * Goes on with a count, from where another trigger's left off if that began at the same slot. Visits at most `limit`
   * slots and gives the tally once it is complete.
   */
  step(recurrence: Recurrence, counting: Counting, until: number, limit: number): Tally | null {
    // The clock may have been set back in the middle of the count.
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

  /** Keeps a long count for the next trigger with the same expression. */
  remember(recurrence: Recurrence, counting: Counting): void {
    this.counted.set(recurrence, { ...counting });
  }
}
