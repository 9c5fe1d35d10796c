import type { TriggerKey } from '@svc/records';
import type { CronRecurrence } from '@svc/recurrence';

/** One trigger that should be armed. The scheduler keeps the object; do not change it. */
export interface ArmRequest {
  readonly key: TriggerKey;
  /** A parsed cron expression, or an interval in the dialect of `parseInterval`, such as `30m`. */
  readonly schedule:
    | { readonly kind: 'cron'; readonly recurrence: CronRecurrence }
    | { readonly kind: 'interval'; readonly text: string };
  /** Identifies the schedule alone: another one starts a new arming, the same one keeps anchor and cursor. */
  readonly scheduleHash: string;
  /** Identifies the whole definition; only stored. */
  readonly definitionHash: string;
  /** What becomes of slots that passed unseen: `latest` runs the newest one, `none` only records them. */
  readonly catchUp: 'none' | 'latest';
  /** How old a slot may be to be caught up, in milliseconds; null: 1 h for cron, one period for an interval. */
  readonly catchUpWindowMs: number | null;
}

/** What one `sync` changed. */
export interface ArmReport {
  /** Triggers that this process had not armed before. */
  readonly armed: number;
  /** Triggers whose schedule or catch-up changed. */
  readonly rearmed: number;
  /** Triggers that are no longer wanted; their anchors and cursors are forgotten. */
  readonly disarmed: number;
  readonly unchanged: number;
  /** Triggers that are wanted and not armed; `reason` is one plain sentence. */
  readonly failed: readonly { readonly key: TriggerKey; readonly reason: string }[];
}

/** What is known of one wanted trigger. */
export interface ArmState {
  readonly armed: boolean;
  /** The next slot later than now in milliseconds since the epoch, or null when there is none. */
  readonly nextFire: number | null;
  /** Why it is not armed, or why its due slot could not be claimed yet; one plain sentence. */
  readonly error: string | null;
  /** Set when its stored cursor lay more than 3 h in the future and was put back. */
  readonly clockNote: string | null;
}
