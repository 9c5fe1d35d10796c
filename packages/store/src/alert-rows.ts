import type { RunOutcome, Source } from '@svc/records';

export type AlertType = 'failed' | 'missed' | 'paused' | 'recovered';

/** A run that has ended, as far as it is told. Instants are milliseconds since 1970. */
export interface EndedRunRow {
  readonly id: string;
  readonly project: string;
  readonly source: Source;
  readonly trigger: string;
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  readonly endedAt: number;
  readonly slots: number;
}

export type TriggerOf = Pick<EndedRunRow, 'project' | 'source' | 'trigger'>;

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
export interface AlertTelling {
  readonly runs: readonly string[];
  readonly of: TriggerOf | null;
  readonly deliveries: readonly (Omit<AlertDelivery, 'attempts'> & {
    readonly project: string;
    readonly trigger: string;
    readonly runId: string | null;
  })[];
  readonly marks: readonly Mark[];
}

/** How a try went. */
export interface TriedDelivery {
  readonly at: number;
  readonly ok: boolean;
  readonly error: string | null;
}
