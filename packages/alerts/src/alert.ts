import { abridged, isoTime } from '@svc/core';
import { FAILURE_OUTCOMES, type RunOutcome, type Source } from '@svc/records';

/** The alert types that a sink can subscribe to. */
export const ALERT_TYPES = [
  'failed',
  'missed',
  'paused',
  'recovered',
  'limited',
  'digest',
] as const;
/** The type of an alert. */
export type AlertType = (typeof ALERT_TYPES)[number];

/** What happened to a trigger or to all triggers. */
export interface Alert {
  readonly type: Exclude<AlertType, 'digest'>;
  /** Null for an alert about all projects. */
  readonly project: string | null;
  readonly source: Source | null;
  readonly trigger: string | null;
  /** Id of the run; null if the alert is not about a run. */
  readonly run: string | null;
  readonly outcome: RunOutcome | null;
  /** One sentence; null if there is no reason. */
  readonly reason: string | null;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Consecutive failures, including this one; 0 if this is not a failure. */
  readonly failures: number;
  /** Consecutive missed slots, or the slots that the run covered. */
  readonly slots: number;
  /** Name of the exhausted daily limit; absent for other alerts. */
  readonly limit?: string;
}

const FAILURES: readonly string[] = FAILURE_OUTCOMES;
const LONGEST_REASON = 1000;

/**
 * The alert type for the end of a run. A success is reported only after a reported failure. Null for outcomes that
 * cause no alert.
 */
export function alertTypeOf(outcome: RunOutcome): Alert['type'] | null {
  if (outcome === 'succeeded') return 'recovered';
  if (outcome === 'missed') return 'missed';
  return FAILURES.includes(outcome) ? 'failed' : null;
}

/** The JSON body of an alert in the form of Standard Webhooks: `{ type, timestamp, data }`. */
export function bodyOf(type: AlertType | 'test', at: number, data: object): string {
  return JSON.stringify({ type, timestamp: isoTime(at), data });
}

/** The `data` of an alert, with secrets redacted and a long reason truncated. */
export function dataOf(
  { type: _, at: __, ...data }: Alert,
  redact: (text: string) => string,
): Omit<Alert, 'type' | 'at'> {
  const reason = data.reason === null ? null : abridged(redact(data.reason), LONGEST_REASON);
  return { ...data, reason };
}
