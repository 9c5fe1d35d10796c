import { abridged, isoTime } from '@svc/core';
import { FAILURE_OUTCOMES, type RunOutcome, type Source } from '@svc/records';

/** What sinks can be told. */
export const ALERT_TYPES = [
  'failed',
  'missed',
  'paused',
  'recovered',
  'limited',
  'digest',
] as const;
/** What one alert tells. */
export type AlertType = (typeof ALERT_TYPES)[number];

/** What happened to a trigger, or to all of them, as it is told. */
export interface Alert {
  readonly type: Exclude<AlertType, 'digest'>;
  /** null: of everything. */
  readonly project: string | null;
  readonly source: Source | null;
  readonly trigger: string | null;
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
  /** Name of the daily limit that is spent; absent where none is. */
  readonly limit?: string;
}

const FAILURES: readonly string[] = FAILURE_OUTCOMES;
const LONGEST_REASON = 1000;

/** What the end of a run may be told as: a success only where a failure was told; null for what is nobody's worry. */
export function alertTypeOf(outcome: RunOutcome): Alert['type'] | null {
  if (outcome === 'succeeded') return 'recovered';
  if (outcome === 'missed') return 'missed';
  return FAILURES.includes(outcome) ? 'failed' : null;
}

/** An alert as sinks get it, JSON in the form of Standard Webhooks: `{ type, timestamp, data }`. */
export function bodyOf(type: AlertType | 'test', at: number, data: object): string {
  return JSON.stringify({ type, timestamp: isoTime(at), data });
}

/** What of an alert stands in `data`: without secrets, and with the beginning of a long reason. */
export function dataOf(
  { type: _, at: __, ...data }: Alert,
  redact: (text: string) => string,
): Omit<Alert, 'type' | 'at'> {
  const reason = data.reason === null ? null : abridged(redact(data.reason), LONGEST_REASON);
  return { ...data, reason };
}
