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

/** Whether a claim was won: a slot that somebody decided before is lost, and nothing is to be started for it. */
export type SlotVerdict = { readonly won: true; readonly runId: RunId } | { readonly won: false };
