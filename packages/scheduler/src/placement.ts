import { type Clock, failure, type Logger, messageOf, type Result, success } from '@svc/core';
import type { Recurrence } from '@svc/recurrence';
import type { Entry } from './entry.ts';
import type { WakeHeap } from './heap.ts';
import { HOUR_MS, MINUTE_MS } from './limits.ts';
import type { Roster } from './roster.ts';
import type { SlotMath } from './slot-math.ts';

const NEVER_AGAIN = 'It never fires again.';

/** The next slot, null where there is none, or why it could not be computed. */
export type NextSlot = Result<number | null, unknown>;

/** Puts entries where they wait. */
export class Placement {
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly heap: WakeHeap<Entry>;
  private readonly roster: Roster;
  private readonly math: SlotMath;

  constructor(clock: Clock, logger: Logger, heap: WakeHeap<Entry>, roster: Roster, math: SlotMath) {
    this.clock = clock;
    this.logger = logger;
    this.heap = heap;
    this.roster = roster;
    this.math = math;
  }

  nextAfter(recurrence: Recurrence, after: number): NextSlot {
    try {
      return success(this.math.next(recurrence, after));
    } catch (error) {
      return failure(error);
    }
  }

  /** Everything up to `decided` is decided; the entry waits for what comes after. */
  advance(entry: Entry, decided: number): void {
    if (entry.phase === 'gone' || entry.recurrence === null) return;
    this.place(entry, decided, this.nextAfter(entry.recurrence, decided));
  }

  /** The same where the next slot is known. */
  place(entry: Entry, decided: number, next: NextSlot): void {
    if (entry.phase === 'gone') return;
    if (!next.ok) {
      this.fault(entry, decided, next.error);
      return;
    }
    if (next.value === null) {
      this.stop(entry, NEVER_AGAIN);
      return;
    }
    this.setError(entry, null, 0);
    entry.slot = next.value;
    this.wait(entry, next.value);
  }

  /** Waits with the slot it has, to be looked at at the given instant. */
  wait(entry: Entry, wakeAt: number): void {
    if (entry.phase === 'gone') return;
    this.roster.move(entry, 'waiting');
    this.heap.push(entry, wakeAt);
  }

  /** Disarms one trigger whose next slot cannot be computed, and tries again after 1 min, doubling to 1 h. */
  fault(entry: Entry, decided: number, error: unknown): void {
    if (entry.phase === 'gone') return;
    const attempts = entry.trouble?.attempts ?? 0;
    if (attempts === 0) {
      this.logger.error(
        { ...entry.request.key, err: error },
        'The next slot could not be computed; trying again later.',
      );
    }
    this.setError(entry, `Its next slot could not be computed: ${messageOf(error)}`, attempts + 1);
    entry.slot = decided;
    this.roster.move(entry, 'faulty');
    const backoff = Math.min(MINUTE_MS * 2 ** attempts, HOUR_MS);
    this.heap.push(entry, this.clock.now() + backoff);
  }

  /** Disarms one trigger that the store no longer knows; the next `sync` arms it anew. */
  forget(entry: Entry, error: string): void {
    if (entry.phase === 'gone') return;
    entry.recurrence = null;
    this.stop(entry, error);
  }

  private stop(entry: Entry, error: string): void {
    this.setError(entry, error, 0);
    this.roster.move(entry, 'idle');
  }

  private setError(entry: Entry, error: string | null, attempts: number): void {
    const clockNote = entry.trouble?.clockNote ?? null;
    const sound = error === null && clockNote === null;
    entry.trouble = sound ? null : { error, attempts, clockNote };
  }
}
