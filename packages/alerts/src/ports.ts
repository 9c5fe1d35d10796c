import type { EndedRun } from '@svc/records';
import type { AlertType } from './alert.ts';
import type { SentMark } from './rules.ts';

/** An alert for one sink. */
export interface Delivery {
  /** Sent as `webhook-id`; the same for every attempt. */
  readonly id: string;
  readonly sink: string;
  readonly type: AlertType | 'test';
  /** The JSON that is sent. */
  readonly body: string;
  /** Number of attempts so far. */
  readonly attempts: number;
  /** In milliseconds since 1970. */
  readonly addedAt: number;
}

/** A delivery to add. */
export interface NewDelivery extends Omit<Delivery, 'attempts'> {
  readonly project: string;
  readonly trigger: string;
  readonly runId: string | null;
}

/** The result of the newest attempt to reach a sink. */
export interface LastTry {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly ok: boolean;
  readonly error: string | null;
}

/** Everything stored for one notification, in one transaction. */
export interface Notification {
  /** Runs that need no further alerts. */
  readonly runs: readonly string[];
  readonly of: TriggerOf | null;
  readonly deliveries: readonly NewDelivery[];
  readonly marks: readonly SentMark[];
  /** The time of the pause of all triggers, as UTC ISO text, if this notification reports it. */
  readonly pauseAt?: string;
  /** Exhausted daily limits whose alert is stored. */
  readonly spent?: readonly SpentNote[];
  /** The end of the period that a digest covers, in milliseconds since 1970. */
  readonly digestAt?: number;
}

/** A pause of all triggers. */
export interface PauseOfAll {
  readonly by: string;
  /** UTC ISO text. */
  readonly at: string;
  readonly reason: string | null;
}

/** An exhausted daily limit. */
export interface SpentNote {
  /** Name of the limit. */
  readonly limit: string;
  /** The project that the limit applies to; null for the limit of the instance. */
  readonly project: string | null;
  /** Null for a limit of a project or of the instance. */
  readonly trigger: string | null;
  /** The day as `YYYY-MM-DD` in host time. */
  readonly day: string;
  /** When the limit first stopped a run on that day, in milliseconds since 1970. */
  readonly at: number;
  readonly reason: string;
  /** The run that it stopped; null if there was none. */
  readonly run: string | null;
}

/** The results of a trigger over some days. */
export interface RunSum extends TriggerOf {
  /** The number of started runs. */
  readonly runs: number;
  readonly failures: number;
  /** The number of missed slots. */
  readonly missed: number;
  readonly skipped: number;
  /** Millionths of a US dollar; null if no turn reported a cost. */
  readonly costMicrousd: number | null;
}

/** Counts of the deliveries of a sink. */
export interface DeliveryCounts {
  readonly waiting: number;
  /** Deliveries abandoned in the last 30 days. */
  readonly givenUp: number;
}

/** A trigger. */
export type TriggerOf = Pick<EndedRun, 'project' | 'source' | 'trigger'>;

/** Where alerts and their deliveries are stored. */
export interface AlertStore {
  /**
   * Starts recording, so that runs which ended earlier cause no alerts; or stops, so that nothing is kept for
   * later.
   */
  follow(on: boolean): Promise<void>;
  /** Ended runs that have not caused an alert yet, ordered by id; at most `most`. */
  pendingRuns(most: number): Promise<readonly EndedRun[]>;
  /**
   * Consecutive failures up to and including a failed run, ignoring skipped, missed and cancelled runs; at most
   * `most`.
   */
  failuresUpTo(run: EndedRun, most: number): Promise<number>;
  /** What sinks have received about a trigger. */
  marks(of: TriggerOf): Promise<readonly SentMark[]>;
  /**
   * Stores a notification, with at most `mostWaiting` deliveries for each sink. Returns how many of the oldest were
   * dropped.
   */
  add(notification: Notification, mostWaiting: number): Promise<number>;
  /** The pause of all triggers, if no alert has been sent for it yet. */
  pendingPause(): Promise<PauseOfAll | null>;
  /** Exhausted daily limits for which no alert has been sent yet, earliest first. */
  pendingSpentLimits(): Promise<readonly SpentNote[]>;
  /** The end of the period covered by digests so far; null before the first one. */
  digestAt(): Promise<number | null>;
  /** The results of each trigger from one day until before another, as `YYYY-MM-DD` in host time. */
  sums(from: string, to: string): Promise<readonly RunSum[]>;
  /** Records that a test alert was sent to a sink. */
  addTried(test: Pick<Delivery, 'id' | 'sink' | 'body'> & LastTry): Promise<void>;
  /** Makes all waiting deliveries of a sink due now. */
  hasten(sink: string, now: number): Promise<void>;
  counts(sink: string): Promise<DeliveryCounts>;
  /** Deliveries of a sink that are due, oldest first; at most `most`. */
  due(sink: string, now: number, most: number): Promise<readonly Delivery[]>;
  /** When the next delivery of a sink is due; null if none is waiting. */
  nextDue(sink: string): Promise<number | null>;
  /** Records an attempt. `nextAt` is null after the last one. */
  tried(id: string, tried: LastTry, nextAt: number | null): Promise<void>;
  /** The newest attempt to reach a sink; null if there was none. */
  lastTry(sink: string): Promise<LastTry | null>;
  /**
   * Abandons deliveries for sinks other than these, and forgets deliveries and lost servers that ended before an
   * instant.
   */
  tidy(sinks: readonly string[], endedBefore: number, now: number): Promise<void>;
}

/** The result of an attempt. */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** A receiver of alerts. */
export interface Sink {
  /** Makes one attempt. Never rejects; the error contains no secrets. */
  send(delivery: Pick<Delivery, 'id' | 'body'>, signal: AbortSignal): Promise<Sent>;
}
