import type { EndedRun } from '@svc/records';

export type AlertType =
  | 'failed'
  | 'missed'
  | 'paused'
  | 'recovered'
  | 'limited'
  | 'digest'
  | 'test';

/** A daily limit that was reached. */
export interface SpentNote {
  /** Name of the limit. */
  readonly limit: string;
  /** The project that has the limit; null for a limit of the instance. */
  readonly project: string | null;
  /** null for a limit of a project or of the instance. */
  readonly trigger: string | null;
  /** The day as `YYYY-MM-DD`, in the time zone of the host. */
  readonly day: string;
  /** When it stopped a run for the first time on that day, in milliseconds since 1970. */
  readonly at: number;
  readonly reason: string;
  /** The run that it stopped; null if none. */
  readonly run: string | null;
}

export type TriggerOf = Pick<EndedRun, 'project' | 'source' | 'trigger'>;

/** An alert that is delivered to one sink. */
export interface AlertDelivery {
  readonly id: string;
  readonly sink: string;
  readonly type: AlertType;
  readonly body: string;
  readonly attempts: number;
  readonly addedAt: number;
}

export interface Mark {
  readonly sink: string;
  readonly type: AlertType;
  readonly at: number;
  readonly open: boolean;
}

/** The deliveries of an alert, and what to record as notified. */
export interface AlertNotification {
  readonly runs: readonly string[];
  readonly of: TriggerOf | null;
  readonly deliveries: readonly (Omit<AlertDelivery, 'attempts'> & {
    readonly project: string;
    readonly trigger: string;
    readonly runId: string | null;
  })[];
  readonly marks: readonly Mark[];
  /** When all triggers were paused (UTC ISO text), for an alert about that. */
  readonly pauseAt?: string;
  /** Reached limits whose alert is stored. */
  readonly spent?: readonly SpentNote[];
  /** End of the period that a digest covers. */
  readonly digestAt?: number;
}

/** Number of deliveries of a sink by state. */
export interface DeliveryCounts {
  readonly waiting: number;
  /** Deliveries that were given up in the last 30 days. */
  readonly givenUp: number;
}

/** Outcomes of a trigger in a period of days. */
export interface RunSum extends TriggerOf {
  /** Runs that started. */
  readonly runs: number;
  readonly failures: number;
  /** Number of slots. */
  readonly missed: number;
  readonly skipped: number;
  /** Millionths of a US dollar; null if no turn reported a cost. */
  readonly costMicrousd: number | null;
}

/** Result of a delivery attempt. */
export interface TriedDelivery {
  readonly at: number;
  readonly ok: boolean;
  readonly error: string | null;
}
