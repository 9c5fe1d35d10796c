/** Result of a delivery attempt of a sink or of the heartbeat. */
export interface AlertTry {
  /** UTC ISO text. */
  readonly at: string;
  readonly ok: boolean;
  /** One sentence; null if it succeeded. */
  readonly error: string | null;
}

/** An alert sink, its settings and delivery state, without secrets. */
export interface AlertSink {
  readonly id: string;
  readonly kind: 'webhook' | 'command';
  /** Origin of the URL, or the program. */
  readonly to: string;
  readonly on: readonly string[];
  readonly threshold: number;
  /** A duration as in the file. */
  readonly cooldown: string;
  /** Why it cannot be used, and how to fix it; null if it can. */
  readonly problem: string | null;
  /** null before the first attempt. */
  readonly lastTry: AlertTry | null;
  /** Alerts pending for this sink. */
  readonly waiting: number;
  /** Alerts of the last 30 days that were given up. */
  readonly givenUp: number;
}

/** Alert sinks, their settings and delivery state. */
export interface AlertStanding {
  readonly sinks: readonly AlertSink[];
  /** A URL that is pinged after successful runs; null if none. */
  readonly heartbeat: {
    readonly to: string;
    /** Minimum interval; `0s`: after each run. */
    readonly every: string;
    readonly lastTry: AlertTry | null;
  } | null;
}

/** What the operations require of alerts. */
export interface AlertPort {
  standing(): Promise<AlertStanding>;
  /** Sends a test alert to a sink at once; null if there is no such sink. */
  test(sink: string): Promise<AlertTry | null>;
}

/** The part of the delivery state that all users should see. */
export interface AlertTrouble {
  /** Sinks, or the heartbeat, whose newest attempt failed, or that cannot be used. */
  readonly failing: readonly { readonly sink: string; readonly error: string }[];
  /** Pending alerts. */
  readonly waiting: number;
}
