import {
  type Clock,
  failureLevel,
  isoTime,
  type Logger,
  localDay,
  messageOf,
  startOfLocalDay,
} from '@svc/core';
import { digestOf, digestSlot, type StandingTrouble } from './digest.ts';
import type { Heartbeat } from './heartbeat.ts';
import { createNotifier } from './notifier.ts';
import type { AlertStore, DeliveryCounts, LastTry, Sink } from './ports.ts';
import type { SinkRules } from './rules.ts';
import { createSinkQueue, type SinkQueueDeps } from './sink-queue.ts';

/** A sink and its notification rules. */
export interface RuledSink {
  readonly sink: Sink;
  readonly rules: SinkRules;
}

/** The state of a sink; `last` is null before the first attempt. */
export interface SinkStanding extends DeliveryCounts {
  readonly last: LastTry | null;
}

/** The alerts of one instance. */
export interface Alerts {
  /** Continues with what an earlier process left. Nothing is sent before it is called. */
  start(): Promise<void>;
  /** Reports that runs have ended or that all triggers were paused. */
  happened(): void;
  /** Reports that another process has tried sinks. */
  tried(): Promise<void>;
  /** Sends a test alert to one sink immediately; null if the sink does not exist. */
  test(sink: string): Promise<LastTry | null>;
  /** The state of all sinks by name. */
  standing(): Promise<ReadonlyMap<string, SinkStanding>>;
  close(): Promise<void>;
}

export interface AlertsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: AlertStore;
  /** Removes secrets from text that is sent or stored. Default: text is unchanged. */
  readonly redact?: (text: string) => string;
  /** Returns current problems of triggers for digests. Default: none. */
  readonly trouble?: () => Promise<readonly StandingTrouble[]>;
  /** Called after each attempt, for metrics. Default: not called. */
  readonly onTried?: SinkQueueDeps['onTried'];
  /** Pinged at each success. Default: no heartbeat. */
  readonly heartbeat?: Heartbeat;
}

const KEPT_MS = 30 * 86_400_000;
const DAY_MS = 86_400_000;

/**
 * Notifies sinks about what happens to triggers. Each ended run is reported once, even if the process is killed at
 * any point. An attempt may reach a sink twice, with the same id.
 * @param sinks Sinks by name. Deliveries for other sinks are abandoned.
 */
export function createAlerts(deps: AlertsDeps, sinks: ReadonlyMap<string, RuledSink>): Alerts {
  const { clock, logger, store, heartbeat, redact = asItIs, onTried = ignore } = deps;
  const queues = new Map(
    [...sinks].map(([id, { sink }]) => [
      id,
      createSinkQueue({ clock, logger, store, redact, onTried }, id, sink),
    ]),
  );
  const rules = new Map([...sinks].map(([id, one]) => [id, one.rules]));
  let tidied = Number.NEGATIVE_INFINITY;
  const tidy = async (): Promise<void> => {
    tidied = clock.mono();
    await store.tidy([...sinks.keys()], clock.now() - KEPT_MS, clock.now());
  };
  const onAdded = (): void => {
    for (const queue of queues.values()) queue.nudge();
    if (clock.mono() - tidied < DAY_MS) return;
    void tidy().catch((error: unknown) => {
      logger[failureLevel(error, 'warn')](
        { error: messageOf(error) },
        'cleanup of old alert deliveries failed',
      );
    });
  };
  const data = async (from: number, to: number): Promise<object> => {
    const span = { from: isoTime(startOfLocalDay(from)), to: isoTime(startOfLocalDay(to)) };
    const sums = await store.sums(localDay(from), localDay(to));
    return digestOf(span, sums, (await deps.trouble?.()) ?? []);
  };
  let started = false;
  const notifier = createNotifier(
    {
      ...{ clock, logger, store, redact, onAdded },
      onSuccess: () => heartbeat?.beat(),
      digest: { slot: digestSlot, data },
    },
    rules,
  );
  return {
    async start() {
      await store.follow(true);
      await tidy();
      for (const queue of queues.values()) await queue.start();
      started = true;
      notifier.nudge();
    },
    happened() {
      if (started) notifier.nudge();
    },
    async tried() {
      if (!started) return;
      for (const queue of queues.values()) await queue.start();
    },
    test: async (sink) => (await queues.get(sink)?.test()) ?? null,
    async standing() {
      const all = new Map<string, SinkStanding>();
      for (const [id, queue] of queues) {
        const last = newer(queue.last, await store.lastTry(id));
        all.set(id, { last, ...(await store.counts(id)) });
      }
      return all;
    },
    async close() {
      const closing = [...queues.values()].map((queue) => queue.close());
      await Promise.all([notifier.close(), heartbeat?.close(), ...closing]);
    },
  };
}

// Another process may have tried the sink since.
function newer(own: LastTry | null, stored: LastTry | null): LastTry | null {
  if (own === null || stored === null) return own ?? stored;
  return stored.at > own.at ? stored : own;
}

function asItIs(text: string): string {
  return text;
}

function ignore(): void {}
