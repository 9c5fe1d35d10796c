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
import { createLane, type LaneDeps } from './lane.ts';
import type { AlertStore, DeliveryCounts, LastTry, Sink } from './ports.ts';
import type { SinkRules } from './rules.ts';
import { createTeller } from './teller.ts';

/** A sink, and what it is told. */
export interface RuledSink {
  readonly sink: Sink;
  readonly rules: SinkRules;
}

/** How a sink stands; `last` is null before its first try. */
export interface SinkStanding extends DeliveryCounts {
  readonly last: LastTry | null;
}

/** Alerts of one instance. */
export interface Alerts {
  /** Takes up what an earlier life left. Before it nothing is told. */
  start(): Promise<void>;
  /** Says that runs have ended, or that everything was paused. */
  happened(): void;
  /** Says that somebody else has tried sinks. */
  tried(): Promise<void>;
  /** Tries one sink at once with something that did not happen; null where there is no such sink. */
  test(sink: string): Promise<LastTry | null>;
  /** How the sinks stand, by their names. */
  standing(): Promise<ReadonlyMap<string, SinkStanding>>;
  close(): Promise<void>;
}

export interface AlertsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: AlertStore;
  /** Takes secrets out of a text that is told or kept. Default: it stays as it is. */
  readonly redact?: (text: string) => string;
  /** What is in the way of triggers now, for digests. Default: nothing. */
  readonly trouble?: () => Promise<readonly StandingTrouble[]>;
  /** Told of each try, for figures. Default: nobody is. */
  readonly onTried?: LaneDeps['onTried'];
  /** Beats at each success. Default: none does. */
  readonly heartbeat?: Heartbeat;
}

const KEPT_MS = 30 * 86_400_000;
const DAY_MS = 86_400_000;

/**
 * Tells sinks what happens to triggers. What has ended is told once, also when the process dies at any point; a try may reach
 * a sink twice, with the same id.
 *
 * @param sinks By their names. What waits for others is given up.
 */
export function createAlerts(deps: AlertsDeps, sinks: ReadonlyMap<string, RuledSink>): Alerts {
  const { clock, logger, store, heartbeat, redact = asItIs, onTried = ignore } = deps;
  const lanes = new Map(
    [...sinks].map(([id, { sink }]) => [
      id,
      createLane({ clock, logger, store, redact, onTried }, id, sink),
    ]),
  );
  const rules = new Map([...sinks].map(([id, one]) => [id, one.rules]));
  let tidied = Number.NEGATIVE_INFINITY;
  const tidy = async (): Promise<void> => {
    tidied = clock.mono();
    await store.tidy([...sinks.keys()], clock.now() - KEPT_MS, clock.now());
  };
  const onAdded = (): void => {
    for (const lane of lanes.values()) lane.nudge();
    if (clock.mono() - tidied < DAY_MS) return;
    void tidy().catch((error: unknown) => {
      logger[failureLevel(error, 'warn')](
        { error: messageOf(error) },
        'old deliveries of alerts stay for now',
      );
    });
  };
  const data = async (from: number, to: number): Promise<object> => {
    const span = { from: isoTime(startOfLocalDay(from)), to: isoTime(startOfLocalDay(to)) };
    const sums = await store.sums(localDay(from), localDay(to));
    return digestOf(span, sums, (await deps.trouble?.()) ?? []);
  };
  let started = false;
  const teller = createTeller(
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
      for (const lane of lanes.values()) await lane.start();
      started = true;
      teller.nudge();
    },
    happened() {
      if (started) teller.nudge();
    },
    async tried() {
      if (!started) return;
      for (const lane of lanes.values()) await lane.start();
    },
    test: async (sink) => (await lanes.get(sink)?.test()) ?? null,
    async standing() {
      const all = new Map<string, SinkStanding>();
      for (const [id, lane] of lanes) {
        const last = newer(lane.last, await store.lastTry(id));
        all.set(id, { last, ...(await store.counts(id)) });
      }
      return all;
    },
    async close() {
      const closing = [...lanes.values()].map((lane) => lane.close());
      await Promise.all([teller.close(), heartbeat?.close(), ...closing]);
    },
  };
}

// Another process may have tried it since.
function newer(own: LastTry | null, stored: LastTry | null): LastTry | null {
  if (own === null || stored === null) return own ?? stored;
  return stored.at > own.at ? stored : own;
}

function asItIs(text: string): string {
  return text;
}

function ignore(): void {}
