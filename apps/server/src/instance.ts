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
  type InForce,
  type KeeperGates,
  keeperOperations,
  type LogTail,
  type Ops,
  type OpsDeps,
  USER,
} from '@svc/ops';
import { createFileLocks, createProjects, type FileLocks, type LastGood } from '@svc/projects';
import { MANAGE_PREFIX, OPERATION_NAMES } from '@svc/records';
import { createScheduler } from '@svc/scheduler';
import { createSharedTurnQueue, createTurnQueue, type Store } from '@svc/store';
import type { ProjectRules } from '@svc/trigger-schema';
import { agentsUser } from './agents-user.ts';
import { type Alerting, createAlerting } from './alerting.ts';
import { openDatabase } from './database.ts';
import { shownAddress } from './database-settings.ts';
import { noteNode } from './earlier-node.ts';
import { NO_FOLDER_WATCH, watchFolder } from './folder-watch.ts';
import { type Home, prepareHome } from './home.ts';
import { createHomeGuard, type GuardedHome } from './home-guard.ts';
import { type HomeLock, takeHomeLock } from './home-lock.ts';
import { namingOwner } from './instance-file.ts';
import { type Keys, readKeys } from './keys.ts';
import { createLastGood, createSharedLastGood } from './last-good.ts';
import { createLedAlerting } from './led-alerting.ts';
import type { OwnZone } from './own-zone.ts';
import { createParsedFiles } from './parsed-files.ts';
import { createRuntimes, knownRuntimes } from './runtimes.ts';
import { createServiceTime, type ServiceTime } from './service-time.ts';
import type { Settings } from './setting-table.ts';
import { createSharedLocks } from './shared-locks.ts';
import { openTraces, type Traces, type TracesParts } from './tracing/traces.ts';
import { traitsOf } from './traits.ts';
import type { Waiting } from './waiting.ts';
import { createZoneHost } from './zone-host.ts';

/** The parts of the environment that agents may get. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One working instance over one home. */
export interface Instance {
  readonly ops: Ops;
  /** Made once for each home, and kept in it. */
  readonly id: string;
  /** Under which it is known to others that share its database. */
  readonly nodeId: string;
  /** Who has signed in at the page. */
  readonly sessions: Store['sessions'];
  /** Tells others that share its database where it answers. */
  locate(url: string): Promise<void>;
  /** Begins to copy its database; null where that is on a server. */
  readonly copyDatabase: Store['copy'];
  /** Resolves when other processes that share its database hold this one for dead: it must end. */
  readonly wasHeldForDead: Promise<void>;
  /** Why it may not go on although it was started, in one sentence; null while all is well. */
  readonly fault: string | null;
  /** Closing cuts it short. */
  start(options: { readonly schedules: boolean }): Promise<void>;
  /** How many alerts are on their way. */
  waitingAlerts(): Promise<number>;
  /** How many turns are running. */
  running(): number;
  /** Lets running turns end within `drainMs` milliseconds, interrupts the rest, and closes the home. */
  close(drainMs: number): Promise<void>;
}

/** What an instance is made of. */
export interface InstanceParts {
  readonly home: Home;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly env: Environment;
  readonly version: string;
  readonly observer?: RunObserver;
  /** Told of each try of a sink of alerts, for figures. */
  readonly onAlertTried?: AlertsDeps['onTried'];
  /** Told what became of spans of traces, for figures. */
  readonly onSpans?: TracesParts['onSpans'];
  /** What is in force, for people to look at. Default: nothing is told. */
  readonly inForce?: () => InForce;
  /** Keeps the newest lines of the log, for people to look at. Default: none are kept. */
  readonly logTail?: LogTail | undefined;
  /** The time zone of the process. Default: it stays as it was at the start. */
  readonly ownZone?: OwnZone | undefined;
  /** Waits for a database on a server that is not there. Default: that it is not there is an error. */
  readonly waiting?: Waiting | undefined;
  /** Stands between the instance and its store, to watch or to disturb what is written. */
  readonly decorateStore?: ((store: Store) => Store) | undefined;
}

/** Opens a home for this process alone: joins store, projects, scheduler and runtimes. Nothing fires before `start`. */
export async function openInstance(parts: InstanceParts): Promise<Instance> {
  const { home, logger } = parts;
  const isShared = parts.settings.database.url !== null;
  const time = createServiceTime(logger, isShared);
  const { clock } = time;
  const user = await agentsUser({ clock, logger }, home, parts.settings.agents);
  const reaper = createProcessReaper({ clock, logger });
  const keys = await readKeys(home, parts.settings, parts.env);
  const path = parts.env['PATH'] ?? '';
  const runtimes = createRuntimes({ ...parts, clock, reaper, user, keys, path });
  const locks = createFileLocks({ clock });
  const opened = await openHome(parts, time, locks).catch(async (error: unknown) => {
    throw await namingOwner(home, error);
  });
  const { lock } = opened;
  const store = parts.decorateStore?.(opened.store) ?? opened.store;
  const ownTexts = createLastGood(join(home.data, 'last-good'));
  const lastGood = isShared ? createSharedLastGood(store.goodTexts, ownTexts) : ownTexts;
  const alerting = alertingOf(parts, { clock, keys, store: opened.store }, () => ops);
  let evicted = (): void => {};
  const wasHeldForDead = new Promise<void>((resolve) => {
    evicted = resolve;
  });
  const traces = await tracesOf(parts, { clock, keys, store });
  const earlierNode = await earlierNodeOf(parts, store);
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
    time.close();
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
    wasHeldForDead,
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
    // A second call, with less patience, cuts the first one short.
    async close(drainMs) {
      isClosing = true;
      await ops.close(drainMs);
      closed ??= closeHome();
      await closed;
    },
  };
}

// Noted with what it is used with, so that commands that are not told the same find out.
async function earlierNodeOf(
  { home, settings }: InstanceParts,
  { nodeId }: Pick<Store, 'nodeId'>,
): Promise<string | null> {
  const { url } = settings.database;
  if (url === null) return null;
  return noteNode(home, nodeId, { database: shownAddress(url), projects: home.projects });
}

function sharedOf(
  { settings }: InstanceParts,
  earlierNode: string | null,
  evicted: () => void,
): SharedProcess {
  return { earlierNode, evicted, traits: () => traitsOf(settings) };
}

function tracesOf(
  { logger, settings, version, onSpans = () => {} }: InstanceParts,
  { clock, keys, store }: Pick<TracesParts, 'clock' | 'keys'> & { store: Store },
): Promise<Traces | null> {
  return openTraces({
    ...{ clock, logger, keys, settings, version, onSpans },
    instance: store.nodeId,
  });
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
  return createLedAlerting(
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
  time: ServiceTime,
  locks: FileLocks,
): Promise<{ lock: HomeLock; store: Store }> {
  const { home, logger } = parts;
  const lock = await takeHomeLock({ locks, logger }, home);
  try {
    // Not before: where another process has the home, a deleted folder is to be put back in its place.
    await prepareHome(home);
    const store = await openDatabase(parts, time.clock);
    await time.follow(store).catch(async (error: unknown) => {
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
  const validation = validationOf(settings);
  const maker = makerOf(version, home, validation);
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
          parsedFiles: createParsedFiles({ store, logger }, maker),
          locks,
          isShared: shared !== undefined,
          git: { env: agentEnvironment(env, GIT_VARIABLES) },
          // Beside this file, whatever it was joined into.
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
      zoneHost: createZoneHost(env, parts.ownZone ?? null),
      observer: watching(parts.observer, alerting),
      ...(opened.traces === null ? {} : { tracer: opened.traces.tracer }),
      ...(alerting.port === null ? {} : { alerts: alerting.port }),
      ...(parts.inForce === undefined ? {} : { inForce: parts.inForce }),
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

// What differs where several processes share a database.
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

// What project files come to follows from the program and from the rules; another build of one version is another program.
function makerOf(version: string, home: Home, validation: ProjectRules): string {
  const { mtimeMs, size } = statSync(new URL(import.meta.url));
  const parts = [version, mtimeMs, size, process.versions.v8, home.projects, validation];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function watching(own: RunObserver | undefined, alerting: Alerting): RunObserver {
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

/** How entries of project files are checked under these settings. */
export function validationOf(settings: Settings): ProjectRules {
  const { minIntervalMs } = settings.limits;
  const unavailableTools = closedTools(settings.keeperGates);
  const { default: defaultRuntime } = settings.runtime;
  return { minIntervalMs, runtimes: knownRuntimes(settings), defaultRuntime, unavailableTools };
}

// A project can have the trigger operations on itself, so they count as there as soon as they can be.
function closedTools(gates: KeeperGates) {
  const open = new Set<string>(keeperOperations({ ...gates, hooks: true }));
  return OPERATION_NAMES.filter((name) => !open.has(name)).map((name) => ({
    name: `${MANAGE_PREFIX}${name}`,
    reason: 'the self-management tools of agents are disabled on this instance',
  }));
}

// What git needs to reach servers; nothing that tells it to run something is among it.
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

// Built, never inherited: the service's own environment holds its secrets.
function agentEnvironment(env: Environment, names: readonly string[]): Record<string, string> {
  const built: Record<string, string> = { LANG: 'C.UTF-8' };
  for (const name of [...ALWAYS_PASSED, ...names]) {
    const value = env[name];
    if (value !== undefined) built[name] = value;
  }
  return built;
}
