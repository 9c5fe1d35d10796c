import type { RunId } from '@svc/records';

/** Which runs of a trigger retention keeps. */
export interface RetentionRule {
  /** Number of newest ended runs to keep; null: all. */
  readonly runs: number | null;
  /** Runs that ended at or after this instant (milliseconds) are kept; null: all. */
  readonly since: number | null;
  /** Whether the newest failure is always kept. */
  readonly keepsFailure: boolean;
  /** Current time (milliseconds); runs of later slots are kept. */
  readonly now: number;
}

/** Position of pruning in a trigger. */
export interface PruningPlace {
  /** The newest run beyond the maximum number; null if there is none. */
  readonly surplus: RunId | null;
  /** The newest failure, if it is kept. */
  readonly failure: RunId | null;
  /** The last examined run; null before the first. */
  readonly after: RunId | null;
}

/** Result of one step. */
export interface PrunedStep {
  readonly runs: number;
  readonly chats: number;
  readonly messages: number;
  /** Where the next step continues; null at the end. */
  readonly next: PruningPlace | null;
}
