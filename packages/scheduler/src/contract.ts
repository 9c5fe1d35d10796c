import type {
  RunId,
  SlotClaim,
  SlotCursor,
  SlotsAhead,
  SlotVerdict,
  Slug,
  TakeBack,
  TriggerId,
  TriggerKey,
} from '@svc/records';
import type { CronRecurrence } from '@svc/recurrence';

/** One trigger to arm. The scheduler keeps the object; do not change it. */
export interface ArmRequest {
  readonly key: TriggerKey;
  /** A parsed cron expression, or an interval in the dialect of `parseInterval`, such as `30m`. */
  readonly schedule:
    | { readonly kind: 'cron'; readonly recurrence: CronRecurrence }
    | { readonly kind: 'interval'; readonly text: string };
  /** Identifies only the schedule. A different hash starts a new arming; the same one keeps anchor and cursor. */
  readonly scheduleHash: string;
  /** Identifies the whole definition. It is only stored. */
  readonly definitionHash: string;
  /**
   * What happens to slots that passed while no process could claim them: `latest` runs the newest one, `none` only
   * records them.
   */
  readonly catchUp: 'none' | 'latest';
  /** How old a slot may be to be caught up, in milliseconds; null: 1 h for cron, one period for an interval. */
  readonly catchUpWindowMs: number | null;
  /**
   * How long after its instant each slot is started, in whole milliseconds from 0; the slot itself keeps its instant. Another
   * value counts from the next slot on. Default: 0.
   */
  readonly delayMs?: number;
}

/** What one `sync` changed. */
export interface ArmReport {
  /** Triggers that this process had not armed before. */
  readonly armed: number;
  /** Triggers whose schedule, catch-up or delay changed. */
  readonly rearmed: number;
  /** Triggers that are no longer wanted; their anchors and cursors are forgotten. */
  readonly disarmed: number;
  readonly unchanged: number;
  /** Triggers that are wanted and not armed; `reason` is one plain sentence. */
  readonly failed: readonly { readonly key: TriggerKey; readonly reason: string }[];
}

/** The state of one wanted trigger. */
export interface ArmState {
  readonly armed: boolean;
  /** The next slot later than now in milliseconds since the epoch, or null when there is none. */
  readonly nextFire: number | null;
  /** Why it is not armed, or why its due slot could not be claimed yet; one plain sentence. */
  readonly error: string | null;
  /** Set while slots that were decided before the clock was set back are still in the future. */
  readonly clock: ClockState | null;
}

/** The state of a trigger whose clock was set back; instants in milliseconds since the epoch. */
export interface ClockState {
  /** The last slot that had been decided. */
  readonly aheadUntil: number;
  /** When the trigger continues, if its next slots have already run; null if it continues with its next slot. */
  readonly silentUntil: number | null;
  /** Whether `restartGrid` ends the silence, which it can for an interval because its grid can start again. */
  readonly canResume: boolean;
}

/** A slot that was won and must be started now. */
export interface Fire {
  readonly key: TriggerKey;
  /** The run that the claims port made for the slot. */
  readonly runId: RunId;
  /** The slot in milliseconds since the epoch. */
  readonly scheduledFor: number;
  /** Time from the planned start of the slot to the decision. */
  readonly lateMs: number;
  /** Whether it is late because nothing could be claimed when it was due. */
  readonly catchUp: boolean;
}

/** Slots of one trigger that passed and will not run, all covered by one record. */
export interface MissedSlots {
  readonly key: TriggerKey;
  /** The run that the claims port keeps them in. */
  readonly runId: RunId;
  /** First and last slot in milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  readonly count: number;
  /** From when the first slot was to start to the decision. */
  readonly lateMs: number;
  /** One plain sentence. */
  readonly reason: string | null;
}

/** What is stored when a trigger is armed. */
export interface ArmedTrigger {
  readonly key: TriggerKey;
  readonly cursor: SlotCursor;
  /** Identifies the whole definition at the time of arming; a later edit of the prompt alone does not store it again. */
  readonly definitionHash: string;
}

/** Stores armings and decided slots. A promise that resolves means that the change is durable. */
export interface SlotClaims {
  /** Everything that is durably armed in a project, wanted or not. */
  loadProject(project: Slug): Promise<ReadonlyMap<TriggerId, SlotCursor>>;
  /** Stores armings, each in place of what was stored for its key. */
  arm(batch: readonly ArmedTrigger[]): Promise<void>;
  /** Removes armings (schedule hash, anchor, cursor). Keys that are not armed are ignored. */
  disarm(keys: readonly TriggerKey[]): Promise<void>;
  /**
   * Decides slots, all in one transaction; verdicts come in the order of the claims.
   *
   * A claim is won when its schedule is the one that is armed, its `from` is later than the stored cursor and no run has
   * that slot; the cursor becomes its `until`. It is lost otherwise, also when the trigger is not armed, or with another
   * schedule, as another process may have done, and when an earlier claim on the same trigger in this batch was lost.
   */
  claim(batch: readonly SlotClaim[]): Promise<readonly SlotVerdict[]>;
  /**
   * What of a project is decided later than `now` (milliseconds) or than the cursor of its trigger, whichever is earlier, per
   * trigger and in the order of slots. Nothing, and cheaply so, unless the clock was set back.
   */
  ahead(project: Slug, now: number): Promise<ReadonlyMap<TriggerId, readonly SlotsAhead[]>>;
  /**
   * Withdraws records of slots that did not run and are still in the future, and moves cursors later than `now`
   * back to it, in one transaction.
   */
  takeBack(batch: readonly TakeBack[]): Promise<void>;
}
