import { join } from 'node:path';
import { createProcessReaper } from '@svc/agent-runtime';
import type { AlertsDeps, StandingTrouble } from '@svc/alerts';
import type { Clock } from '@svc/core';
import type { SharedProcess } from '@svc/engine';
import { type Ops, USER } from '@svc/ops';
import {
  createFileLocks,
  createLastGoodVersions,
  createSharedLastGoodVersions,
} from '@svc/projects';
import { ageText, durationText, type Settings } from '@svc/settings';
import type { Store, Traits } from '@svc/store';
import type { Traces, TracesDeps } from '@svc/tracing';
import { agentsUser } from './agents-user.ts';
import { type Alerting, createAlerting } from './alerting.ts';
import type { DatabaseParts } from './database.ts';
import { createServiceClock, guardHome, openHome, previousNodeOf } from './instance-home.ts';
import { agentEnvironment, createInstanceOps, type OpsParts } from './instance-ops.ts';
import { type Keys, readKeys } from './keys.ts';
import { createLeaderAlerting } from './leader-alerting.ts';
import { createRuntimes } from './runtimes.ts';
import { openSandboxes } from './sandboxes.ts';
import { startTraces } from './tracing.ts';

/** An instance that uses one home. */
export interface Instance {
  readonly ops: Ops;
  /** Id of the home, created with its database. */
  readonly id: string;
  /** Id of this process among the servers that share its database. */
  readonly nodeId: string;
  /** Sign-in sessions of the page. */
  readonly sessions: Store['sessions'];
  /** Publishes the address of this server to the servers that share its database. */
  locate(url: string): Promise<void>;
  /** Starts a copy of the database; null for a database server. */
  readonly copyDatabase: Store['copy'];
  /** Resolves when other servers have evicted this one, which must then exit. */
  readonly whenEvicted: Promise<void>;
  /** Why a started instance cannot continue, in one sentence; null if it can. */
  readonly fault: string | null;
  /** Starts the instance; with `schedules`, triggers fire automatically. `close` aborts a running start. */
  start(options: { readonly schedules: boolean }): Promise<void>;
  /** Number of pending alerts. */
  waitingAlerts(): Promise<number>;
  /** Number of running turns. */
  running(): number;
  /** Lets running turns end within `drainMs` milliseconds, interrupts the rest, and closes the home. */
  close(drainMs: number): Promise<void>;
}

/** Dependencies of an instance. */
export interface InstanceParts extends OpsParts, DatabaseParts {
  readonly settings: Settings;
  /** Called after each attempt to deliver an alert, for metrics. */
  readonly onAlertTried?: AlertsDeps['onTried'];
  /** Called with the result of exported spans, for metrics. */
  readonly onSpans?: TracesDeps['onSpans'];
  /** Wraps the store, to observe or modify what is written. */
  readonly decorateStore?: ((store: Store) => Store) | undefined;
}

/** Opens a home with exclusive access, and connects store, projects, scheduler and runtimes. Nothing fires before `start`. */
export async function openInstance(parts: InstanceParts): Promise<Instance> {
  const { home, logger } = parts;
  const isShared = parts.settings.database.url !== null;
  const serviceClock = createServiceClock(logger, isShared);
  const { clock } = serviceClock;
  const user = await agentsUser({ clock, logger }, home, parts.settings.agents);
  const reaper = createProcessReaper({ clock, logger });
  const keys = await readKeys(home, parts.settings, parts.env);
  const path = parts.env['PATH'] ?? '';
  const locks = createFileLocks({ clock });
  const opened = await openHome(parts, serviceClock, locks);
  const checking = openSandboxes({ ...parts, clock, user, path });
  const store = parts.decorateStore?.(opened.store) ?? opened.store;
  const ownTexts = createLastGoodVersions(join(home.data, 'last-good'));
  const lastGood = isShared ? createSharedLastGoodVersions(store.goodTexts, ownTexts) : ownTexts;
  const alerting = alertingOf(parts, { clock, keys, store: opened.store }, () => ops);
  let evicted = (): void => {};
  const whenEvicted = new Promise<void>((resolve) => {
    evicted = resolve;
  });
  const traces = await tracesOf(parts, clock, keys, store.nodeId);
  const earlierNode = await previousNodeOf(parts, store);
  const shared = isShared ? sharedOf(parts, earlierNode, evicted) : undefined;
  const sandboxes = await checking;
  const { turns } = sandboxes;
  const runtimes = createRuntimes({ ...parts, clock, reaper, user, keys, path, sandboxes: turns });
  const ops: Ops = createInstanceOps(parts, {
    ...{ clock, user, reaper, runtimes, locks, lastGood, store, alerting, shared, traces },
    ...{ sandboxes, secrets: keys.secrets },
  });
  const guard = await guardHome(parts, opened, clock, (isLost) => ops.pauseFiring(isLost));
  const closeHome = async (): Promise<void> => {
    guard.close();
    serviceClock.close();
    await Promise.all([alerting.close(), traces?.close()]);
    await opened.store.close();
    await opened.lock.release();
  };
  let isClosing = false;
  let closed: Promise<void> | null = null;
  return {
    ops,
    id: store.id,
    nodeId: store.nodeId,
    sessions: store.sessions,
    async locate(url) {
      if (isShared) await store.nodes.locate({ url, home: home.root });
    },
    copyDatabase: () => opened.store.copy(),
    whenEvicted,
    get fault() {
      return guard.fault;
    },
    async start(options) {
      await lastGood.sweep();
      if (isClosing) return;
      await ops.start(options);
      if (isClosing) return;
      await alerting.start();
    },
    waitingAlerts: alerting.waiting,
    running: () => ops.load().running,
    // A second call with a shorter drain time shortens the first one.
    async close(drainMs) {
      isClosing = true;
      await ops.close(drainMs);
      closed ??= closeHome();
      await closed;
    },
  };
}

function tracesOf(
  { logger, settings, version, onSpans = () => {} }: InstanceParts,
  clock: Clock,
  keys: Keys,
  instance: string,
): Promise<Traces | null> {
  return startTraces({ clock, logger, onSpans }, settings, keys, { version, instance });
}

function sharedOf(
  { settings }: InstanceParts,
  earlierNode: string | null,
  evicted: () => void,
): SharedProcess {
  return { earlierNode, evicted, traits: () => sharedSettingsOf(settings) };
}

function alertingOf(
  parts: InstanceParts,
  { clock, keys, store }: { clock: Clock; keys: Keys; store: Store },
  ops: () => Ops,
): Alerting {
  const { home, logger, settings, env, onAlertTried } = parts;
  const create = (): Alerting =>
    createAlerting({
      ...{ clock, logger, home, keys, store },
      notify: settings.notify,
      env: agentEnvironment(env, []),
      trouble: () => standingTrouble(ops()),
      ...(onAlertTried === undefined ? {} : { onTried: onAlertTried }),
    });
  if (settings.database.url === null) return create();
  return createLeaderAlerting(
    create,
    { signals: store.signals, leads: () => ops().leads(), onLead: (on) => ops().onLead(on) },
    logger,
  );
}

async function standingTrouble({ operations }: Ops): Promise<readonly StandingTrouble[]> {
  const { signal } = new AbortController();
  const listed = await operations.call(USER, 'list_project_records', {}, { signal });
  if (!listed.ok) throw new Error(listed.error.message);
  return listed.value.projects.map(({ slug, health }) => {
    const { failing, paused, invalid, unready, limited } = health;
    return { project: slug, failing, paused, invalid, unready, limited };
  });
}

/** The settings that must be equal on all servers that share a database, with their values here. */
function sharedSettingsOf(settings: Settings): Traits {
  const { limits, retention, runtime, maxSpawnDepth } = settings;
  const { minIntervalMs, turnTimeoutMs, concurrentTurnsPerProject } = limits;
  const orNone = (value: number | null, show: (value: number) => string = String): string =>
    value === null ? 'none' : show(value);
  return {
    'The time zone': new Intl.DateTimeFormat().resolvedOptions().timeZone,
    'limits.minInterval': durationText(minIntervalMs),
    'limits.turnTimeout': durationText(turnTimeoutMs),
    'limits.concurrentTurnsPerProject': String(concurrentTurnsPerProject),
    'limits.firesPerDay': orNone(limits.firesPerDay),
    'limits.costPerDayUsd': orNone(limits.costPerDayUsd),
    'retention.runs': orNone(retention.runs),
    'retention.age': orNone(retention.ageMs, ageText),
    'runtime.default': runtime.default,
    maxSpawnDepth: String(maxSpawnDepth),
  };
}
