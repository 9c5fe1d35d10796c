import type { Clock, Logger } from '@svc/core';
import type { Alert } from './alert.ts';
import type { Heartbeat } from './heartbeat.ts';
import { createLane, type LaneDeps } from './lane.ts';
import type { AlertStore, LastTry, Sink } from './ports.ts';
import type { SinkRules } from './rules.ts';
import { createTeller } from './teller.ts';

/** A sink, and what it is told. */
export interface RuledSink {
  readonly sink: Sink;
  readonly rules: SinkRules;
}

/** Alerts of one instance. */
export interface Alerts {
  /** Takes up what an earlier life left. Before it nothing is told. */
  start(): Promise<void>;
  /** Says that runs have ended. */
  runsEnded(): void;
  /** Tells that a trigger was paused. It never rejects. */
  paused(what: Omit<Alert, 'type' | 'slots'>): Promise<void>;
  /** How the newest try of a sink went; null where there was none. */
  lastTry(sink: string): LastTry | null;
  close(): Promise<void>;
}

export interface AlertsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: AlertStore;
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
 * @param sinks By their names.
 * @param known Names of sinks that are set up but cannot be used now: what waits for them stays.
 */
export function createAlerts(
  deps: AlertsDeps,
  sinks: ReadonlyMap<string, RuledSink>,
  known: readonly string[] = [],
): Alerts {
  const { clock, logger, store, heartbeat } = deps;
  const onTried = deps.onTried ?? (() => {});
  const lanes = new Map(
    [...sinks].map(([id, { sink }]) => [
      id,
      createLane({ clock, logger, store, onTried }, id, sink),
    ]),
  );
  const rules = new Map([...sinks].map(([id, one]) => [id, one.rules]));
  let tidied = Number.NEGATIVE_INFINITY;
  const tidy = async (): Promise<void> => {
    tidied = clock.mono();
    await store.tidy([...sinks.keys(), ...known], clock.now() - KEPT_MS, clock.now());
  };
  const tidyDaily = (): void => {
    if (clock.mono() - tidied < DAY_MS) return;
    void tidy().catch(() => logger.warn({}, 'old deliveries of alerts stay for now'));
  };
  const onAdded = (): void => {
    tidyDaily();
    for (const lane of lanes.values()) lane.nudge();
  };
  const onSuccess = (): void => heartbeat?.beat();
  const teller = createTeller({ clock, logger, store, onAdded, onSuccess }, rules);
  return {
    async start() {
      await store.follow(true);
      await tidy();
      for (const lane of lanes.values()) await lane.start();
      teller.nudge();
    },
    runsEnded: () => teller.nudge(),
    async paused(what) {
      await teller.tell({ ...what, type: 'paused', slots: 0 }).catch(() => {
        const { project, trigger } = what;
        logger.warn({ project, trigger }, 'that a trigger was paused could not be told');
      });
    },
    lastTry: (sink) => lanes.get(sink)?.last ?? null,
    async close() {
      await teller.close();
      await heartbeat?.close();
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
    },
  };
}
