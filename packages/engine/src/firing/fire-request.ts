import type { Result } from '@svc/core';
import type { Cause, EventData, RunId, RunOutcome, SessionId, TriggerKey } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { OperationError } from '../errors.ts';
import type { SpentLimit } from '../limits/spent-limit.ts';

/** A started run with its chat. */
export interface Fired {
  readonly sessionId: SessionId;
  readonly runId: RunId;
}

/** A request to fire: a claimed slot, or something that happens now. */
export interface FireRequest {
  readonly key: TriggerKey;
  readonly cause: Cause;
  /** The run of a claimed slot; null for a manual run, which is not yet written. */
  readonly claimed: RunId | null;
  /** Who requested it; null for a schedule. */
  readonly caller: Caller | null;
  /** The event that caused it or is used for a test. Default: null. */
  readonly event?: EventData | null;
}

/** Why no turn is started. `outcome` is recorded in the run; null if no run is written. */
export interface Stop {
  readonly error: OperationError;
  readonly outcome: RunOutcome | null;
  /** The daily limit that was reached; absent for other reasons. */
  readonly limit?: SpentLimit;
  /** Whether its run stays queued. Default: false. */
  readonly waits?: true;
}

/** The only path by which triggers fire, whatever the cause. */
export type FireTrigger = (request: FireRequest) => Promise<Result<Fired, OperationError>>;
