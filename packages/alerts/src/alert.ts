import { isoTime } from '@svc/core';
import { FAILURE_OUTCOMES, type RunOutcome, type Source } from '@svc/records';

/** What can be told. */
export const ALERT_TYPES = ['failed', 'missed', 'paused', 'recovered'] as const;
/** What one alert tells. */
export type AlertType = (typeof ALERT_TYPES)[number];

/** A run that has ended. */
export interface EndedRun {
  readonly id: string;
  readonly project: string;
  readonly source: Source;
  readonly trigger: string;
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  /** In milliseconds since 1970. */
  readonly endedAt: number;
  /** Slots that it stands for; 0 without a slot. */
  readonly slots: number;
}

/** What happened to a trigger, as it is told. */
export interface Alert {
  readonly type: AlertType;
  readonly project: string;
  readonly source: Source;
  readonly trigger: string;
  /** Id of the run; null where none is behind it. */
  readonly run: string | null;
  readonly outcome: RunOutcome | null;
  /** One sentence; null where there is nothing to say. */
  readonly reason: string | null;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Failures in a row, this one included; 0 for what is none. */
  readonly failures: number;
  /** Slots that were missed in a row, or that the run was for. */
  readonly slots: number;
}

const FAILURES: readonly string[] = FAILURE_OUTCOMES;

/** What the end of a run may be told as: a success only where a failure was told; null for what is nobody's worry. */
export function alertTypeOf(outcome: RunOutcome): AlertType | null {
  if (outcome === 'succeeded') return 'recovered';
  if (outcome === 'missed') return 'missed';
  return FAILURES.includes(outcome) ? 'failed' : null;
}

/** The alert as sinks get it, JSON in the form of Standard Webhooks: `{ type, timestamp, data }`. */
export function alertBody({ type, at, ...data }: Alert): string {
  return JSON.stringify({ type, timestamp: isoTime(at), data });
}
