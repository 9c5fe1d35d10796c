import type { RunId, TriggerKey } from './ids.ts';

/** What is durably known of an armed recurrence. Instants are milliseconds since the epoch. */
export interface SlotCursor {
  /** Identifies the schedule (not the prompt): a change of it starts a new arming. */
  readonly scheduleHash: string;
  /** Origin of an interval's grid: the instant of enabling, or of changing the interval. */
  readonly anchor: number;
  /** When this schedule was durably armed; earlier slots are none of its business. */
  readonly armedSince: number;
  /** The last slot decided (or `armedSince` while there is none). */
  readonly cursor: number;
}

/** One decision on one slot, or on consecutive slots that will not run. */
export interface SlotClaim {
  readonly key: TriggerKey;
  /** The schedule that has the slot: nothing can be claimed of one that is not armed any more. */
  readonly scheduleHash: string;
  /** `run`: to be started now; `missed`: recorded only. */
  readonly as: 'run' | 'missed';
  /** First and last slot that the row covers; the same for a run. */
  readonly from: number;
  readonly until: number;
  readonly count: number;
  /** When the decision was taken. */
  readonly claimedAt: number;
  /** Milliseconds from when the first slot was to start, which the delay of its trigger puts off, to the decision. */
  readonly lateMs: number;
  readonly catchUp: boolean;
  /** One plain sentence for a slot that will not run; null for a run. */
  readonly reason: string | null;
}

/** Whether a claim was won. A slot that another process has decided is lost and must not be started. */
export type SlotVerdict = { readonly won: true; readonly runId: RunId } | { readonly won: false };

/** Slots that were decided although they are later than the clock, which was set back since. */
export interface SlotsAhead {
  /** The row that covers them; null where retention removed it. */
  readonly runId: RunId | null;
  /** First and last slot, and how many there are. */
  readonly from: number;
  readonly until: number;
  readonly count: number;
  /** Whether something was started for them, or may still be; such a slot is never decided again. */
  readonly ran: boolean;
}

/** What to withdraw for one trigger after the clock was set back to `now`. */
export interface TakeBack {
  readonly key: TriggerKey;
  readonly now: number;
  /** Rows of slots that did not run: what is left of each, null for nothing. */
  readonly cuts: readonly {
    readonly slots: SlotsAhead;
    readonly kept: { readonly until: number; readonly count: number } | null;
  }[];
  /** The last slot that had been decided. */
  readonly decidedUntil: number;
  /** What happened, in a sentence or two, for the record of changes; null if it is recorded elsewhere. */
  readonly reason: string | null;
}
