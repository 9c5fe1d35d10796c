import { type Clock, createTimeSlice } from '@svc/core';
import { expiredReason, MISSED_REASONS, type SlotClaim, type TriggerKey } from '@svc/records';
import type { Recurrence } from '@svc/recurrence';
import type { Agenda, NextSlot } from './agenda.ts';
import { decidedWithin } from './ahead.ts';
import type { Downtime } from './clocks.ts';
import { catchUpWindow, dueAt, type Entry, lateSlotPoint } from './entry.ts';
import { HOUR_MS, type Limits, MINUTE_MS, STEP_MS } from './limits.ts';
import { type Counting, countingFrom } from './slots.ts';

/** Periods in which no process claimed slots. */
interface DowntimeContext {
  readonly downtime: Downtime;
  /** Why no process could claim a slot that was due at an instant, in one sentence; null if unknown. */
  readonly absence: (key: TriggerKey, due: number) => string | null;
}

/** The undecided slots up to now. `first`, `before` and `last` are equal if there is only one. */
interface DueSlots {
  readonly first: number;
  readonly before: number;
  readonly last: number;
  readonly count: number;
  /** Whether newer slots have passed as well, after some that ran before the clock was set back. */
  readonly isOlder: boolean;
}

/** How late the newest slot starts, measured when it was first found to be late. */
function lateness(entry: Entry, last: number, now: number): number {
  const judgedAt = entry.wait?.judgedAt ?? null;
  const due = last + entry.delayMs;
  return (judgedAt !== null && due <= judgedAt ? judgedAt : now) - due;
}

/** Decides every passed slot: the newest may run, all others are missed. Claims come in slot order. */
function decideClaims(
  entry: Entry,
  passed: DueSlots,
  now: number,
  limits: Limits,
  away: DowntimeContext,
): SlotClaim[] {
  if (passed.isOlder) return [missed(entry, passed, now, null, away)];
  const late = lateness(entry, passed.last, now);
  const caughtUp = entry.request.catchUp === 'latest' && late < catchUpWindow(entry);
  const onTime = late <= limits.graceMs && !wasAway(entry, passed.last, late, away.downtime);
  if (!onTime && !caughtUp) return [missed(entry, passed, now, late, away)];
  const run: SlotClaim = {
    key: entry.request.key,
    scheduleHash: entry.request.scheduleHash,
    as: 'run',
    from: passed.last,
    until: passed.last,
    count: 1,
    claimedAt: now,
    lateMs: now - passed.last - entry.delayMs,
    catchUp: !onTime,
    reason: null,
  };
  if (passed.count === 1) return [run];
  const older = { ...passed, last: passed.before, count: passed.count - 1 };
  return [missed(entry, older, now, null, away), run];
}

function wasAway(entry: Entry, slot: number, late: number, downtime: Downtime): boolean {
  if (passedBeforeArming(entry, slot)) return true;
  return late > STEP_MS && downtime.reasonFor(slot + entry.delayMs) !== null;
}

function passedBeforeArming(entry: Entry, slot: number): boolean {
  const armedAt = entry.wait?.armedAt ?? null;
  return armedAt !== null && slot + entry.delayMs <= armedAt;
}

/** `late` is set if the newest slot is among the missed ones. */
function missed(
  entry: Entry,
  passed: DueSlots,
  now: number,
  late: number | null,
  away: DowntimeContext,
): SlotClaim {
  const window = catchUpWindow(entry);
  const expired = late !== null && late >= window && entry.request.catchUp === 'latest';
  return {
    key: entry.request.key,
    scheduleHash: entry.request.scheduleHash,
    as: 'missed',
    from: passed.first,
    until: passed.last,
    count: passed.count,
    claimedAt: now,
    lateMs: now - passed.first - entry.delayMs,
    catchUp: false,
    reason: expired ? expiredReason(words(window)) : absenceReason(entry, passed.first, away),
  };
}

function absenceReason(entry: Entry, slot: number, { downtime, absence }: DowntimeContext): string {
  const due = slot + entry.delayMs;
  const elsewhere = absence(entry.request.key, due);
  if (elsewhere !== null) return elsewhere;
  if (passedBeforeArming(entry, slot)) return MISSED_REASONS.notRunning;
  return downtime.reasonFor(due) ?? MISSED_REASONS.notInTime;
}

function words(ms: number): string {
  if (ms >= HOUR_MS && ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  if (ms >= MINUTE_MS && ms % MINUTE_MS === 0) return `${ms / MINUTE_MS} min`;
  return `${Math.round(ms / 1000)} s`;
}

/** The decision about one trigger: its claims, and where it continues once they are won. */
export interface Decision {
  readonly entry: Entry;
  readonly claims: readonly SlotClaim[];
  readonly next: NextSlot;
  /** Whether more slots have passed that are not decided yet. */
  readonly isOlder: boolean;
}

interface Counted {
  readonly done: boolean;
  readonly decision: Decision | null;
}

interface SlowCount {
  readonly entry: Entry;
  readonly counting: Counting;
}

/** Number of slots that a count visits before it lets all due entries go first. */
const COUNT_LIMIT = 256;

/** Takes due entries from the agenda and decides their slots. */
export class Collector {
  private readonly clock: Clock;
  private readonly limits: Limits;
  private readonly agenda: Agenda;
  private readonly away: DowntimeContext;
  private readonly slow: SlowCount[] = [];

  constructor(clock: Clock, limits: Limits, agenda: Agenda, away: DowntimeContext) {
    this.clock = clock;
    this.limits = limits;
    this.agenda = agenda;
    this.away = away;
  }

  /** Whether long counts are under way. */
  get counting(): boolean {
    return this.slow.length > 0;
  }

  /** One slice of work, with at most `maxClaims` claims (from 2); null when there was nothing to do. */
  collect(maxClaims: number): Decision[] | null {
    const { clock, limits, agenda } = this;
    const timeSlice = createTimeSlice(clock, limits.sliceMs);
    const decisions: Decision[] = [];
    const now = clock.now();
    let claims = 0;
    let idle = true;
    // One trigger takes up to two claims.
    while (claims <= maxClaims - 2) {
      const entry = agenda.popDue(now);
      if (entry === null && this.slow.length === 0) break;
      idle = false;
      const decision = entry === null ? this.countOn(now) : this.consider(entry, now);
      if (decision !== null) decisions.push(decision);
      claims += decision?.claims.length ?? 0;
      if (timeSlice.isSpent) break;
    }
    return idle ? null : decisions;
  }

  private consider(entry: Entry, now: number): Decision | null {
    const { recurrence } = entry;
    const { agenda } = this;
    if (recurrence === null) return null;
    if (entry.phase === 'faulty') {
      agenda.advance(entry, entry.slot);
      return null;
    }
    if (dueAt(entry) > now) {
      // The clock was set back after the entry was added.
      entry.wait = null;
      agenda.wait(entry, dueAt(entry));
      return null;
    }
    agenda.occupy(entry);
    const next = agenda.nextOf(entry, entry.slot);
    if (!next.ok || next.value === null || next.value + entry.delayMs > now) {
      const { slot } = entry;
      const passed = { first: slot, before: slot, last: slot, count: 1, isOlder: false };
      return this.decide(entry, passed, next, now);
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
      this.agenda.math.remember(recurrence, slow.counting);
    }
    return counted.decision;
  }

  private count(slow: SlowCount, recurrence: Recurrence, now: number): Counted {
    const { agenda } = this;
    const { entry, counting } = slow;
    try {
      const due = now - entry.delayMs;
      const decided = decidedWithin(entry.trouble?.ahead ?? null, entry.slot, due);
      const until = decided === null ? due : decided.from - 1;
      const tally = agenda.math.step(recurrence, counting, until, COUNT_LIMIT);
      if (tally === null) return { done: false, decision: null };
      const next = agenda.nextOf(entry, tally.last);
      const isOlder = next.ok && next.value !== null && next.value <= due;
      const passed = { ...tally, first: entry.slot, count: tally.count + 1, isOlder };
      return { done: true, decision: this.decide(entry, passed, next, now) };
    } catch (error) {
      // Nothing is decided, so the same slot must be found again.
      agenda.fault(entry, entry.slot - 1, error);
      return { done: true, decision: null };
    }
  }

  private decide(entry: Entry, passed: DueSlots, next: NextSlot, now: number): Decision | null {
    const { limits, away } = this;
    this.forgetOldJudgement(entry, now);
    const first = (entry.wait?.judgedAt ?? null) === null;
    if (first && now - passed.last - entry.delayMs > limits.graceMs) {
      this.defer(entry, next, now);
      return null;
    }
    const claims = decideClaims(entry, passed, now, limits, away);
    return { entry, claims, next, isOlder: passed.isOlder };
  }

  /** A late slot waits for its point in the spread, which is before the next slot. */
  private defer(entry: Entry, next: NextSlot, now: number): void {
    const { limits, agenda } = this;
    const before = next.ok && next.value !== null ? next.value + entry.delayMs : null;
    entry.wait = { judgedAt: now, armedAt: entry.wait?.armedAt ?? null };
    agenda.wait(entry, lateSlotPoint(entry.request, now, before, limits.spreadMs));
  }

  /** Lateness is judged once for each wait. It is judged again if much more time has passed. */
  private forgetOldJudgement(entry: Entry, now: number): void {
    const { limits } = this;
    const judgedAt = entry.wait?.judgedAt ?? null;
    if (entry.wait === null || judgedAt === null) return;
    if (now - judgedAt <= limits.spreadMs + limits.graceMs) return;
    entry.wait = { judgedAt: null, armedAt: entry.wait.armedAt };
  }
}
