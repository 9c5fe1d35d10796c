import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import {
  type AgentUser,
  type ProcessReaper,
  type Runtime,
  sweepTemporaries,
} from '@svc/agent-runtime';
import type { Environment } from '@svc/cli';
import { type Clock, type Logger, newId, ownValue } from '@svc/core';
import { type RunObserver, type SharedProcess, STOP_CODEC } from '@svc/engine';
import {
  createChangeFeed,
  createOps,
  createSharedChangeFeed,
  type EffectiveSettings,
  type LogTail,
  type Ops,
  type OpsDeps,
} from '@svc/ops';
import { createProjects, createSharedLocks, type FileLocks, type LastGood } from '@svc/projects';
import { createScheduler } from '@svc/scheduler';
import type { Settings } from '@svc/settings';
import { createSharedTurnQueue, createTurnQueue, type Store } from '@svc/store';
import type { Traces } from '@svc/tracing';
import type { ProjectRules } from '@svc/trigger-schema';
import type { Alerting } from './alerting.ts';
import type { Home } from './home.ts';
import type { ProcessTimeZone } from './process-time-zone.ts';
import { projectRules } from './project-rules.ts';
import type { Sandboxes } from './sandboxes.ts';
import { createZoneHost } from './zone-host.ts';

/** What operations need besides what an instance has opened. */
export interface OpsParts {
  readonly home: Home;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly env: Environment;
  readonly version: string;
  readonly observer?: RunObserver;
  /** Returns the effective settings for display. Default: none are displayed. */
  readonly effectiveSettings?: () => EffectiveSettings;
  /** Provides the newest log lines for display. Default: none. */
  readonly logTail?: LogTail | undefined;
  /** The time zone of the process. Default: it does not change after the start. */
  readonly processZone?: ProcessTimeZone | undefined;
}

/** What an instance has opened. */
interface Opened {
  readonly clock: Clock;
  readonly locks: FileLocks;
  readonly lastGood: LastGood;
  readonly store: Store;
  readonly user: AgentUser | null;
  readonly reaper: ProcessReaper;
  readonly sandboxes: Sandboxes;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly secrets: readonly string[];
  readonly alerting: Alerting;
  readonly shared: SharedProcess | undefined;
  readonly traces: Traces | null;
}

/** Creates the operations of an instance. */
export function createInstanceOps(parts: OpsParts, opened: Opened): Ops {
  const { clock, lastGood, store, user, reaper, runtimes, secrets, alerting, shared } = opened;
  const { home, settings, logger, env, version } = parts;
  const validation = projectRules(settings, opened.sandboxes.turns.limitsNetwork);
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
          guard: opened.sandboxes.host,
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
      sandboxLack: opened.sandboxes.lack,
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
  { settings, logger }: OpsParts,
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

/** The environment of agents: an allow-list, because that of the service contains its secrets. */
export function agentEnvironment(
  env: Environment,
  names: readonly string[],
): Record<string, string> {
  const built: Record<string, string> = { LANG: 'C.UTF-8' };
  for (const name of [...ALWAYS_PASSED, ...names]) {
    const value = ownValue(env, name);
    if (value !== undefined) built[name] = value;
  }
  return built;
}
