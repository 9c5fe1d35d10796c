import type { EndedRun } from '@svc/records';

export type AlertType =
  | 'failed'
  | 'missed'
  | 'paused'
  | 'recovered'
  | 'limited'
  | 'digest'
  | 'test';

/** That a daily limit is spent. */
export interface SpentNote {
  /** Name of the limit. */
  readonly limit: string;
  /** Whose limit it is; null for that of the instance. */
  readonly project: string | null;
  /** null for a limit of a project, and of the instance. */
  readonly trigger: string | null;
  /** The day, as `YYYY-MM-DD` where the host is. */
  readonly day: string;
  /** When it stopped something first on that day, in milliseconds since 1970. */
  readonly at: number;
  readonly reason: string;
  /** The run that it stopped; null where it was none. */
  readonly run: string | null;
}

export type TriggerOf = Pick<EndedRun, 'project' | 'source' | 'trigger'>;

/** An alert on its way to one sink. */
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

/** What is told, and that it was. */
export interface AlertNotification {
  readonly runs: readonly string[];
  readonly of: TriggerOf | null;
  readonly deliveries: readonly (Omit<AlertDelivery, 'attempts'> & {
    readonly project: string;
    readonly trigger: string;
    readonly runId: string | null;
  })[];
  readonly marks: readonly Mark[];
  /** When everything was paused, as UTC ISO text, where that is told. */
  readonly pauseAt?: string;
  /** Spent limits whose alert is stored. */
  readonly spent?: readonly SpentNote[];
  /** Up to when a digest tells. */
  readonly digestAt?: number;
}

/** How the deliveries of a sink stand. */
export interface DeliveryCounts {
  readonly waiting: number;
  /** Those of the last 30 days that were given up. */
  readonly givenUp: number;
}

/** What came of a trigger on some days. */
export interface RunSum extends TriggerOf {
  /** Those that started. */
  readonly runs: number;
  readonly failures: number;
  /** Slots. */
  readonly missed: number;
  readonly skipped: number;
  /** Millionths of a US dollar; null where no turn told any. */
  readonly costMicrousd: number | null;
}

/** How a try went. */
export interface TriedDelivery {
  readonly at: number;
  readonly ok: boolean;
  readonly error: string | null;
}
