import type { Clock } from '@svc/core';
import type { SlotClaim } from '@svc/records';
import type { Recurrence } from '@svc/recurrence';
import type { Absences } from './absences.ts';
import { decideClaims, type Passed } from './decide.ts';
import { type Entry, lateSlotPoint } from './entry.ts';
import type { WakeHeap } from './heap.ts';
import type { Limits } from './limits.ts';
import { Pace } from './pace.ts';
import type { NextSlot, Placement } from './placement.ts';
import type { Roster } from './roster.ts';
import { type Counting, countingFrom, type SlotMath } from './slot-math.ts';

/** What was decided on one trigger: its claims, and where it goes on when they are won. */
export interface Decision {
  readonly entry: Entry;
  readonly claims: readonly SlotClaim[];
  readonly next: NextSlot;
}

interface Counted {
  readonly done: boolean;
  readonly decision: Decision | null;
}

interface SlowCount {
  readonly entry: Entry;
  readonly counting: Counting;
}

/** Slots visited before a count steps back behind everything that is due. */
const COUNT_LIMIT = 256;

/** The collaborators of a `Collector`. */
export interface CollectorParts {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly heap: WakeHeap<Entry>;
  readonly roster: Roster;
  readonly math: SlotMath;
  readonly placement: Placement;
  readonly absences: Absences;
}

/** Takes due entries out of the heap and decides on their slots. */
export class Collector {
  private readonly parts: CollectorParts;
  private readonly slow: SlowCount[] = [];

  constructor(parts: CollectorParts) {
    this.parts = parts;
  }

  /** Whether long counts are under way. */
  get counting(): boolean {
    return this.slow.length > 0;
  }

  /** One slice of work, with at most `maxClaims` claims (from 2); null when there was nothing to do. */
  collect(maxClaims: number): Decision[] | null {
    const { clock, limits, heap } = this.parts;
    const pace = new Pace(clock, limits.sliceMs);
    const decisions: Decision[] = [];
    const now = clock.now();
    let claims = 0;
    let idle = true;
    // One trigger takes up to two claims.
    while (claims <= maxClaims - 2) {
      const entry = heap.popDue(now);
      if (entry === null && this.slow.length === 0) break;
      idle = false;
      const decision = entry === null ? this.countOn(now) : this.consider(entry, now);
      if (decision !== null) decisions.push(decision);
      claims += decision?.claims.length ?? 0;
      if (pace.spent) break;
    }
    return idle ? null : decisions;
  }

  /** After the clock was set back: entries that wait for another reason than their slot must not wait longer for it. */
  wakeSoon(): void {
    const { clock, limits, heap, roster, placement } = this.parts;
    const soon = clock.now() + limits.spreadMs;
    for (const entry of roster.entries()) {
      if (entry.heapIndex < 0 || (entry.wait === null && entry.phase !== 'faulty')) continue;
      heap.remove(entry);
      if (entry.phase === 'faulty') heap.push(entry, soon);
      else placement.wait(entry, Math.min(soon, Math.max(entry.slot, clock.now())));
    }
  }

  private consider(entry: Entry, now: number): Decision | null {
    const { recurrence } = entry;
    const { placement, roster } = this.parts;
    if (recurrence === null) return null;
    if (entry.phase === 'faulty') {
      placement.advance(entry, entry.slot);
      return null;
    }
    if (entry.slot > now) {
      // The clock was set back since it was put here.
      entry.wait = null;
      placement.wait(entry, entry.slot);
      return null;
    }
    roster.move(entry, 'busy');
    const next = placement.nextAfter(recurrence, entry.slot);
    if (!next.ok || next.value === null || next.value > now) {
      const { slot } = entry;
      return this.decide(entry, { first: slot, before: slot, last: slot, count: 1 }, next, now);
    }
    const slow = { entry, counting: countingFrom(entry.slot) };
    const counted = this.count(slow, recurrence, now);
    if (!counted.done) this.slow.push(slow);
    return counted.decision;
  }

  private countOn(now: number): Decision | null {
    const slow = this.slow[0];
    const recurrence = slow?.entry.recurrence ?? null;
    if (slow === undefined || recurrence === null || slow.entry.phase === 'gone') {
      this.slow.shift();
      return null;
    }
    const counted = this.count(slow, recurrence, now);
    if (counted.done) {
      this.slow.shift();
      this.parts.math.remember(recurrence, slow.counting);
    }
    return counted.decision;
  }

  private count(slow: SlowCount, recurrence: Recurrence, now: number): Counted {
    const { math, placement } = this.parts;
    const { entry, counting } = slow;
    try {
      const tally = math.step(recurrence, counting, now, COUNT_LIMIT);
      if (tally === null) return { done: false, decision: null };
      const passed = { ...tally, first: entry.slot, count: tally.count + 1 };
      const next = placement.nextAfter(recurrence, tally.last);
      return { done: true, decision: this.decide(entry, passed, next, now) };
    } catch (error) {
      // Nothing is decided: the slot itself is to be found again.
      placement.fault(entry, entry.slot - 1, error);
      return { done: true, decision: null };
    }
  }

  private decide(entry: Entry, passed: Passed, next: NextSlot, now: number): Decision | null {
    const { limits, absences } = this.parts;
    this.forgetOldJudgement(entry, now);
    const first = (entry.wait?.judgedAt ?? null) === null;
    if (first && now - passed.last > limits.graceMs) {
      this.defer(entry, next, now);
      return null;
    }
    return { entry, claims: decideClaims(entry, passed, now, limits, absences), next };
  }

  /** A late slot waits for its point of the spread, which comes before the next slot. */
  private defer(entry: Entry, next: NextSlot, now: number): void {
    const { limits, placement } = this.parts;
    const before = next.ok ? next.value : null;
    entry.wait = { judgedAt: now, armedAt: entry.wait?.armedAt ?? null };
    placement.wait(entry, lateSlotPoint(entry.request, now, before, limits.spreadMs));
  }

  /** A judgement holds for the wait it began; when much more time went by, lateness counts as of now again. */
  private forgetOldJudgement(entry: Entry, now: number): void {
    const { limits } = this.parts;
    const judgedAt = entry.wait?.judgedAt ?? null;
    if (entry.wait === null || judgedAt === null) return;
    if (now - judgedAt <= limits.spreadMs + limits.graceMs) return;
    entry.wait = { judgedAt: null, armedAt: entry.wait.armedAt };
  }
}
