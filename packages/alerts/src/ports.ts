import type { EndedRun } from '@svc/records';
import type { AlertType } from './alert.ts';
import type { ToldMark } from './rules.ts';

/** An alert on its way to one sink. */
export interface Delivery {
  /** Sent as `webhook-id`, the same on every try. */
  readonly id: string;
  readonly sink: string;
  readonly type: AlertType | 'test';
  /** JSON, as it is sent. */
  readonly body: string;
  /** Tries so far. */
  readonly attempts: number;
  /** In milliseconds since 1970. */
  readonly addedAt: number;
}

/** A delivery as it is added. */
export interface NewDelivery extends Omit<Delivery, 'attempts'> {
  readonly project: string;
  readonly trigger: string;
  readonly runId: string | null;
}

/** How the newest try of a sink went. */
export interface LastTry {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly ok: boolean;
  readonly error: string | null;
}

/** What is written when something is told, all of it or nothing. */
export interface Telling {
  /** Runs of which nothing is left to tell. */
  readonly runs: readonly string[];
  readonly of: TriggerOf | null;
  readonly deliveries: readonly NewDelivery[];
  readonly marks: readonly ToldMark[];
  /** When everything was paused, as UTC ISO text, where that is told. */
  readonly pauseAt?: string;
  /** Spent daily limits whose alert is stored. */
  readonly spent?: readonly SpentNote[];
  /** Up to when a digest tells, in milliseconds since 1970. */
  readonly digestAt?: number;
}

/** That everything is paused. */
export interface PauseOfAll {
  readonly by: string;
  /** UTC ISO text. */
  readonly at: string;
  readonly reason: string | null;
}

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

/** How the deliveries of a sink stand. */
export interface DeliveryCounts {
  readonly waiting: number;
  /** Those of the last 30 days that were given up. */
  readonly givenUp: number;
}

/** A trigger. */
export type TriggerOf = Pick<EndedRun, 'project' | 'source' | 'trigger'>;

/** Where alerts and their deliveries are kept. */
export interface AlertStore {
  /** Begins, so that runs which ended before the first beginning are not told; or ends, so that none is kept for later. */
  follow(on: boolean): Promise<void>;
  /** Ended runs that no alert was sent for yet, in the order of their ids, at most so many. */
  untold(most: number): Promise<readonly EndedRun[]>;
  /** Failures in a row up to a run, which is one, without those that were skipped, missed or cancelled; at most so many. */
  failuresUpTo(run: EndedRun, most: number): Promise<number>;
  /** What sinks were told of a trigger. */
  marks(of: TriggerOf): Promise<readonly ToldMark[]>;
  /** Keeps what is told, with at most `mostWaiting` deliveries of one sink; answers how many of the oldest were dropped. */
  tell(telling: Telling, mostWaiting: number): Promise<number>;
  /** The pause of everything, while nobody was told of it yet. */
  untoldPause(): Promise<PauseOfAll | null>;
  /** Daily limits that are spent and that no alert was sent for yet, the earliest first. */
  untoldSpent(): Promise<readonly SpentNote[]>;
  /** Up to when digests were told; null before the first one. */
  digestAt(): Promise<number | null>;
  /** What came of each trigger on the days from one on until before another, as `YYYY-MM-DD` where the host is. */
  sums(from: string, to: string): Promise<readonly RunSum[]>;
  /** Keeps that a sink was tried with something that did not happen. */
  addTried(test: Pick<Delivery, 'id' | 'sink' | 'body'> & LastTry): Promise<void>;
  /** Has everything that waits for a sink tried by now. */
  hasten(sink: string, now: number): Promise<void>;
  counts(sink: string): Promise<DeliveryCounts>;
  /** Deliveries of a sink that are to be tried by now, the oldest first, at most so many. */
  due(sink: string, now: number, most: number): Promise<readonly Delivery[]>;
  /** When the next delivery of a sink is to be tried; null while none waits. */
  nextDue(sink: string): Promise<number | null>;
  /** Notes a try; `nextAt` null: it was the last one. */
  tried(id: string, tried: LastTry, nextAt: number | null): Promise<void>;
  /** The newest try of a sink; null where there was none. */
  lastTry(sink: string): Promise<LastTry | null>;
  /** Gives up what waits for sinks other than these; forgets what ended, and servers that were lost, before an instant. */
  tidy(sinks: readonly string[], endedBefore: number, now: number): Promise<void>;
}

/** What came of a try. */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** Where alerts go. */
export interface Sink {
  /** Tries once. It never rejects; nothing secret is in its error. */
  send(delivery: Pick<Delivery, 'id' | 'body'>, signal: AbortSignal): Promise<Sent>;
}
