import type { RunId, TriggerKey } from '@svc/records';

/** A slot that was won and is to be started now. */
export interface Fire {
  readonly key: TriggerKey;
  /** The run that the claims port made for the slot. */
  readonly runId: RunId;
  /** The slot in milliseconds since the epoch. */
  readonly scheduledFor: number;
  /** From the slot to the decision. */
  readonly lateMs: number;
  /** It is late because nothing could be claimed when it was due. */
  readonly catchUp: boolean;
}

/** Slots of one trigger that passed and will not run; one record covers them all. */
export interface MissedSlots {
  readonly key: TriggerKey;
  /** The run that the claims port keeps them in. */
  readonly runId: RunId;
  /** First and last slot in milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  readonly count: number;
  /** From the first slot to the decision. */
  readonly lateMs: number;
  /** One plain sentence. */
  readonly reason: string | null;
}
