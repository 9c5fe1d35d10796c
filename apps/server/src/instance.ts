import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  type AgentUser,
  createProcessReaper,
  type ProcessReaper,
  type Runtime,
  sweepTemporaries,
} from '@svc/agent-runtime';
import type { AlertsDeps, StandingTrouble } from '@svc/alerts';
import { type Clock, type Logger, newId } from '@svc/core';
import { type RunObserver, type SharedProcess, STOP_CODEC } from '@svc/engine';
import {
  createChangeFeed,
  createOps,
  createSharedChangeFeed,
  type EffectiveSettings,
  type LogTail,
  type Ops,
  type OpsDeps,
  USER,
} from '@svc/ops';
import { createFileLocks, createProjects, type FileLocks, type LastGood } from '@svc/projects';
import { createScheduler } from '@svc/scheduler';
import { type Settings, shownAddress } from '@svc/settings';
import { createSharedTurnQueue, createTurnQueue, type Store } from '@svc/store';
import type { Traces, TracesDeps } from '@svc/tracing';
import type { ProjectRules } from '@svc/trigger-schema';
import { agentsUser } from './agents-user.ts';
import { type Alerting, createAlerting } from './alerting.ts';
import { openDatabase } from './database.ts';
import { NO_FOLDER_WATCH, watchFolder } from './folder-watch.ts';
import { type Home, prepareHome } from './home.ts';
import { createHomeGuard, type GuardedHome } from './home-guard.ts';
import { type HomeLock, takeHomeLock } from './home-lock.ts';
import { namingOwner } from './instance-file.ts';
import { type Keys, readKeys } from './keys.ts';
import { createLastGoodVersions, createSharedLastGoodVersions } from './last-good-versions.ts';
import { recordUse } from './last-use.ts';
import { createLeaderAlerting } from './leader-alerting.ts';
import type { DatabaseWait } from './open-when-available.ts';
import type { ProcessTimeZone } from './process-time-zone.ts';
import { projectRules } from './project-rules.ts';
import { createRuntimes } from './runtimes.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import { createSharedLocks } from './shared-locks.ts';
import { sharedSettingsOf } from './shared-settings.ts';
import { startTraces } from './tracing.ts';
import { createZoneHost } from './zone-host.ts';

/** The environment of the service, from which agents get a selection. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
export interface InstanceParts {
  readonly home: Home;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly env: Environment;
  readonly version: string;
  readonly observer?: RunObserver;
  /** Called after each attempt to deliver an alert, for metrics. */
  readonly onAlertTried?: AlertsDeps['onTried'];
  /** Called with the result of exported spans, for metrics. */
  readonly onSpans?: TracesDeps['onSpans'];
  /** Returns the effective settings for display. Default: none are displayed. */
  readonly effectiveSettings?: () => EffectiveSettings;
  /** Provides the newest log lines for display. Default: none. */
  readonly logTail?: LogTail | undefined;
  /** The time zone of the process. Default: it does not change after the start. */
  readonly processZone?: ProcessTimeZone | undefined;
  /** How to wait for an unavailable database server. Default: it is an error. */
  readonly waiting?: DatabaseWait | undefined;
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
  const runtimes = createRuntimes({ ...parts, clock, reaper, user, keys, path });
  const locks = createFileLocks({ clock });
  const opened = await openHome(parts, serviceClock, locks).catch(async (error: unknown) => {
    throw await namingOwner(home, error);
  });
  const { lock } = opened;
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
  const ops: Ops = joinOps(parts, {
    ...{ clock, user, reaper, runtimes, locks, lastGood, store, alerting, shared, traces },
    secrets: keys.secrets,
  });
  const guard = await createHomeGuard(
    { clock, logger },
    { ...(await guarded(parts, opened, clock)), onChange: (isLost) => ops.pauseFiring(isLost) },
  );
  const closeHome = async (): Promise<void> => {
    guard.close();
    serviceClock.close();
    await Promise.all([alerting.close(), traces?.close()]);
    await opened.store.close();
    await lock.release();
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

// The record includes the database and the projects folder, so that commands started without these settings find them.
async function previousNodeOf(
  { home, settings }: InstanceParts,
  { nodeId }: Pick<Store, 'nodeId'>,
): Promise<string | null> {
  const { url } = settings.database;
  if (url === null) return null;
  return recordUse(home, nodeId, { database: shownAddress(url), projects: home.projects });
}

function sharedOf(
  { settings }: InstanceParts,
  earlierNode: string | null,
  evicted: () => void,
): SharedProcess {
  return { earlierNode, evicted, traits: () => sharedSettingsOf(settings) };
}

function tracesOf(
  { logger, settings, version, onSpans = () => {} }: InstanceParts,
  clock: Clock,
  keys: Keys,
  instance: string,
): Promise<Traces | null> {
  return startTraces({ clock, logger, onSpans }, settings, keys, { version, instance });
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

async function guarded(
  { home, settings, logger }: InstanceParts,
  { lock, store }: { lock: HomeLock; store: Store },
  clock: Clock,
): Promise<Omit<GuardedHome, 'onChange'>> {
  const { data, projects } = home;
  const deps = { clock, logger };
  if (settings.database.url === null) {
    const watch = await watchFolder(deps, projects, null);
    const examine = () => store.examine() ?? watch.fault();
    return { data, database: home.database, lock, examine };
  }
  const known = await store.projectsFolder.read();
  const isMarked = known !== null && known.path !== null;
  const watch = isMarked ? await watchFolder(deps, projects, known.id) : NO_FOLDER_WATCH;
  return { data, database: null, lock, examine: watch.fault };
}

async function openHome(
  parts: InstanceParts,
  serviceClock: ServiceClock,
  locks: FileLocks,
): Promise<{ lock: HomeLock; store: Store }> {
  const { home, logger } = parts;
  const lock = await takeHomeLock({ locks, logger }, home);
  try {
    // The lock comes first: another process that holds it must recreate a deleted folder itself.
    await prepareHome(home);
    const store = await openDatabase(parts, serviceClock.clock);
    await serviceClock.synchronize(store).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    return { lock, store };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Opened {
  readonly clock: Clock;
  readonly locks: FileLocks;
  readonly lastGood: LastGood;
  readonly store: Store;
  readonly user: AgentUser | null;
  readonly reaper: ProcessReaper;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly secrets: readonly string[];
  readonly alerting: Alerting;
  readonly shared: SharedProcess | undefined;
  readonly traces: Traces | null;
}

function joinOps(parts: InstanceParts, opened: Opened): Ops {
  const { clock, lastGood, store, user, reaper, runtimes, secrets, alerting, shared } = opened;
  const { home, settings, logger, env, version } = parts;
  const validation = projectRules(settings);
  const maker = cacheKeyOf(version, home, validation);
  const { locks, queue, changes } = sharedParts(parts, opened);
  return createOps(
    {
      clock,
      logger,
      version,
      host: hostname(),
      store,
      reaper,
      queue,
      maker,
      projects: createProjects(
        { clock, logger },
        {
          root: home.projects,
          validation,
          lastGood,
          locks,
          isShared: shared !== undefined,
          git: { env: agentEnvironment(env, GIT_VARIABLES) },
          // The bundler may merge this module into another file; the script is always next to that file.
          threads: { script: new URL('./svc-reader.js', import.meta.url) },
        },
      ),
      sweep: sweepTemporaries,
      changes,
      ...(shared === undefined ? {} : { shared }),
      runtimes,
      secrets: () => secrets,
      createScheduler: (onFire, onMissed, onLost, absence) =>
        createScheduler({ clock, logger, claims: store.claims, onFire, onMissed, onLost, absence }),
      zoneHost: createZoneHost(env, parts.processZone ?? null),
      observer: observerWith(parts.observer, alerting),
      ...(opened.traces === null ? {} : { tracer: opened.traces.tracer }),
      ...(alerting.port === null ? {} : { alerts: alerting.port }),
      ...(parts.effectiveSettings === undefined
        ? {}
        : { effectiveSettings: parts.effectiveSettings }),
      ...(parts.logTail === undefined ? {} : { logTail: parts.logTail }),
    },
    {
      maxSpawnDepth: settings.maxSpawnDepth,
      defaultRuntime: settings.runtime.default,
      turnTimeoutMs: settings.limits.turnTimeoutMs,
      curatorDelayMs: settings.curator.delayMs,
      retention: settings.retention,
      firesPerDay: settings.limits.firesPerDay,
      costPerDayUsd: settings.limits.costPerDayUsd,
      agentEnv: {
        ...agentEnvironment(env, settings.agents.env),
        ...(user === null ? {} : { HOME: user.home }),
      },
      keeperGates: settings.keeperGates,
    },
    validation,
  );
}

// Parts that differ if several processes share a database.
function sharedParts(
  { settings, logger }: InstanceParts,
  { clock, locks, store, shared }: Opened,
): Pick<OpsDeps, 'queue' | 'changes'> & { readonly locks: FileLocks } {
  const { concurrentTurns: concurrent, concurrentTurnsPerProject: perProject } = settings.limits;
  const limits = { concurrent, perProject };
  const name = newId();
  if (shared === undefined) {
    const queue = createTurnQueue({ clock, logger }, limits);
    return { locks, queue, changes: createChangeFeed({ name }) };
  }
  return {
    locks: createSharedLocks(locks, store.locks),
    queue: createSharedTurnQueue({ clock, logger, store, stops: STOP_CODEC }, limits),
    changes: createSharedChangeFeed({ name }, store.signals),
  };
}

// Identifies what the parse cache depends on. The build is included, because two builds of one version may parse differently.
function cacheKeyOf(version: string, home: Home, validation: ProjectRules): string {
  const { mtimeMs, size } = statSync(new URL(import.meta.url));
  const parts = [version, mtimeMs, size, process.versions.v8, home.projects, validation];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function observerWith(own: RunObserver | undefined, alerting: Alerting): RunObserver {
  return {
    claimed: (fire) => own?.claimed(fire),
    used: (turn) => own?.used?.(turn),
    pruned: (removed) => own?.pruned?.(removed),
    paused: alerting.happened,
    limited: alerting.happened,
    ended(run) {
      own?.ended(run);
      alerting.happened();
    },
  };
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

// Variables that git needs for connections. Variables that make git run programs are excluded.
const GIT_VARIABLES = [
  'SSH_AUTH_SOCK',
  'GIT_SSL_CAINFO',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'https_proxy',
  'HTTPS_PROXY',
  'no_proxy',
  'NO_PROXY',
];

const ALWAYS_PASSED = ['PATH', 'HOME', 'LANG', 'TZ'];

// Built from an allow-list, because the environment of the service contains its secrets.
function agentEnvironment(env: Environment, names: readonly string[]): Record<string, string> {
  const built: Record<string, string> = { LANG: 'C.UTF-8' };
  for (const name of [...ALWAYS_PASSED, ...names]) {
    const value = env[name];
    if (value !== undefined) built[name] = value;
  }
  return built;
}
