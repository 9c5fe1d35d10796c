/** How a try of a sink, or of the heartbeat, went. */
export interface AlertTry {
  /** UTC ISO text. */
  readonly at: string;
  readonly ok: boolean;
  /** One sentence; null where it went well. */
  readonly error: string | null;
}

/** Where alerts go, which, and how that goes. Nothing in it is a secret. */
export interface AlertSink {
  readonly id: string;
  readonly kind: 'webhook' | 'command';
  /** Origin of the URL, or the program. */
  readonly to: string;
  readonly on: readonly string[];
  readonly threshold: number;
  /** A duration as the file would have it. */
  readonly cooldown: string;
  /** Why it cannot be used, and what would help; null where it can. */
  readonly problem: string | null;
  /** null before the first one. */
  readonly lastTry: AlertTry | null;
  /** Alerts pending for this sink. */
  readonly waiting: number;
  /** Alerts of the last 30 days that were given up. */
  readonly givenUp: number;
}

/** Who is told what happens. */
export interface AlertStanding {
  readonly sinks: readonly AlertSink[];
  /** A watcher that is pinged after successes; null without one. */
  readonly heartbeat: {
    readonly to: string;
    /** At most once in this duration; `0s`: each time. */
    readonly every: string;
    readonly lastTry: AlertTry | null;
  } | null;
}

/** What the operations need of alerts. */
export interface AlertPort {
  standing(): Promise<AlertStanding>;
  /** Tries a sink at once with something that did not happen; null where there is no such sink. */
  test(sink: string): Promise<AlertTry | null>;
}

/** How the tries of sinks with something that did not happen went. */
export interface TestedAlerts {
  readonly tried: readonly ({ readonly sink: string } & AlertTry)[];
}

/** What of the alerts everybody should see. */
export interface AlertTrouble {
  /** Sinks, or the heartbeat, whose newest try failed, or that cannot be used. */
  readonly failing: readonly { readonly sink: string; readonly error: string }[];
  /** Pending alerts. */
  readonly waiting: number;
}
