import type { RunId } from '@svc/records';

/** Which runs of a trigger stay. */
export interface RetentionRule {
  /** So many of the newest ended ones; null: however many there are. */
  readonly runs: number | null;
  /** Those that ended at or after this instant (milliseconds); null: however old they are. */
  readonly since: number | null;
  /** Whether the newest failure stays in any case. */
  readonly keepsFailure: boolean;
  /** The time now (milliseconds): what was fired for a later slot stays. */
  readonly now: number;
}

/** Where pruning a trigger has come to. */
export interface PruningPlace {
  /** The newest of the runs that are too many; null where none is. */
  readonly surplus: RunId | null;
  /** The newest failure, where that stays. */
  readonly failure: RunId | null;
  /** The last run that was looked at; null before the first. */
  readonly after: RunId | null;
}

/** What one step has removed. */
export interface PrunedStep {
  readonly runs: number;
  readonly chats: number;
  readonly messages: number;
  /** Where to go on; null where nothing is left to be removed. */
  readonly next: PruningPlace | null;
}
