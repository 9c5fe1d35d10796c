import type { SlotClaim, SlotCursor, SlotVerdict, Slug, TriggerId, TriggerKey } from '@svc/records';

/** What is stored when a trigger is armed. */
export interface ArmedTrigger {
  readonly key: TriggerKey;
  readonly cursor: SlotCursor;
  /** Identifies the whole definition at the time of arming; a later edit of the prompt alone does not store it again. */
  readonly definitionHash: string;
}

/** Where armings and decided slots are kept. Every promise that resolves means: durable. */
export interface SlotClaims {
  /** Everything that is durably armed in a project, wanted or not. */
  loadProject(project: Slug): Promise<ReadonlyMap<TriggerId, SlotCursor>>;
  /** Stores armings, each in place of what was stored for its key. */
  arm(batch: readonly ArmedTrigger[]): Promise<void>;
  /** Forgets armings (schedule hash, anchor, cursor); a key that is not armed is left alone. */
  disarm(keys: readonly TriggerKey[]): Promise<void>;
  /**
   * Decides slots, all in one transaction; verdicts come in the order of the claims.
   *
   * A claim is won when its `from` is later than the stored cursor and no run has that slot; the cursor becomes its
   * `until`. It is lost otherwise, also when the trigger is not armed, and when an earlier claim on the same trigger in
   * this batch was lost.
   */
  claim(batch: readonly SlotClaim[]): Promise<readonly SlotVerdict[]>;
}
