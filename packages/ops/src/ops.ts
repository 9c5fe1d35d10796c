import { createToolPolicy, TurnStop } from '@svc/agent-runtime';
import { createRedactor, redactingLogger } from '@svc/core';
import type { Slug, TriggerKey } from '@svc/records';
import type { Scheduler } from '@svc/scheduler';
import type { ProjectRules, ProjectSettings } from '@svc/trigger-schema';
import type { ChangeFeed } from './changes.ts';
import type { OpsDeps, OpsSettings, WorkSettings } from './deps.ts';
import { createGate } from './gate.ts';
import { createArmedStates } from './nouns/armed-states.ts';
import { createArming } from './nouns/arming.ts';
import type { ArmingProgress } from './nouns/arming-start.ts';
import type { AttentionItem } from './nouns/attention.ts';
import { createChangeLog } from './nouns/change-log.ts';
import { cleanStore } from './nouns/clean-store.ts';
import { createDispatching, type Dispatching } from './nouns/dispatching.ts';
import { createFences } from './nouns/fences.ts';
import type { FireTrigger } from './nouns/fire-request.ts';
import { createFiring } from './nouns/firing.ts';
import { createGuards } from './nouns/guards.ts';
import { createHeartbeat } from './nouns/heartbeat.ts';
import { ALONE, createMembers, type Members } from './nouns/members.ts';
import { createPauses } from './nouns/pauses.ts';
import { createPromptRemarks } from './nouns/prompt-remarks.ts';
import { createPruning } from './nouns/pruning.ts';
import { createRecovery, type Recovery } from './nouns/recovery.ts';
import { reportMissed } from './nouns/run-report.ts';
import { createLanes, fireSlots, type SlotsOptions } from './nouns/slots.ts';
import { type StartOptions, startAll, stopAll } from './nouns/starting.ts';
import { createTurnRunner } from './nouns/turn-runner.ts';
import { createZones } from './nouns/zones.ts';
import { createAccess } from './operations/access.ts';
import type { Operations } from './operations/door.ts';
import { keeperOperations, keeperWriteProjects } from './operations/keeper-gates.ts';
import { createKeeperToolset } from './operations/keeper-toolset.ts';
import type { OperationRow } from './operations/operation.ts';
import { attentionIn } from './operations/projects/shared.ts';
import { CATALOGUE, TABLE, TOOL_CATALOG } from './operations/table.ts';
import { createTargetFinder } from './operations/targets.ts';
import { createTools } from './operations/tool-door.ts';
import { createServices, type Services } from './services.ts';

/** The load of this server. */
export interface Load {
  readonly armed: number;
  /** Number of projects that it owns. */
  readonly projects: number;
  /** Number of invalid entries in their files; a file that cannot be read counts as one. */
  readonly invalid: number;
  readonly running: number;
  readonly queued: number;
  /** Number of servers that own projects, as far as this one knows. */
  readonly nodes: number;
}

/** The service, for all surfaces. */
export interface Ops {
  /** All operations, behind one gate. */
  readonly operations: Operations;
  readonly changes: ChangeFeed;
  load(): Load;
  /** What needs attention in the projects that this server owns. */
  attention(): Promise<readonly AttentionItem[]>;
  /** Whether all triggers are paused. */
  isPaused(): Promise<boolean>;
  /** Progress of arming during the start; null before and after it. */
  arming(): ArmingProgress | null;
  /** Size of the database in bytes. */
  databaseBytes(): Promise<number>;
  /** Rejects with the reason while the database cannot be written or the projects folder is missing. */
  ping(): Promise<void>;
  /**
   * Starts the work: recovers from the previous process, then runs queued turns, and, with `schedules`, arms the
   * triggers in project files. Closing aborts it.
   */
  start(options: StartOptions): Promise<void>;
  /** Tests the allow-lists of runtimes that are ready, and logs the results. Never rejects. */
  tryFences(): Promise<void>;
  /** While on, no slot is claimed; slots in that time are treated like slots during downtime. */
  pauseFiring(on: boolean): void;
  /** Whether this server does the work that is done once for all servers of a database. */
  leads(): boolean;
  /** Calls back when the result of `leads` may have changed. Returns how to stop. */
  onLead(on: () => void): () => void;
  /** Stops firing, gives running turns `drainMs` to end, and interrupts the rest. */
  close(drainMs: number): Promise<void>;
}

/** Creates the service from its ports. */
export function createOps(
  given: OpsDeps,
  { keeperGates, ...own }: OpsSettings,
  rules: ProjectRules,
): Ops {
  const redactor = createRedactor(given.secrets ?? (() => []));
  const logger = redactingLogger(given.logger, redactor);
  const deps: OpsDeps = { ...given, logger, store: cleanStore(given.store, redactor) };
  const rights = keeperRights(keeperGates);
  const toolPolicy = createToolPolicy(CATALOGUE);
  const settings: WorkSettings = { ...own, keeperTools: rights.operations, toolPolicy };
  const members = membersOf(deps, () => recovery);
  const pauses = createPauses(deps, members);
  const guards = createGuards(deps, members);
  const onHeld = (project: string): void => dispatching.look(project);
  const fire: FireTrigger = createFiring({ deps, settings, redactor, pauses, guards, onHeld });
  const fences = createFences(deps);
  const closing = new AbortController();
  const { scheduler, handed, isInHand } = startScheduler(deps, fire, {
    ...{ closing: closing.signal, isShared: members.isShared },
    onLost: (projects) => arming.lost(projects),
    absence: ({ project }, due) => members.absence(project, due),
  });
  const changeLog = createChangeLog(deps, redactor, members);
  const zones = createZones(deps);
  const remarks = createPromptRemarks(deps, settings);
  const armed = { scheduler, changeLog, zones, guards, members, remarks };
  const arming = createArming(deps, armed, closing.signal);
  const dispatching: Dispatching = createDispatching(deps, fire, {
    ...{ pauses, members, curatorDelayMs: settings.curatorDelayMs },
  });
  const pruning = createPruning(deps, settings.retention ?? { runs: null, ageMs: null }, members);
  const recovery = createRecovery(deps, fire, { members, isInHand });
  const armedIn = createArmedStates(deps, { scheduler, members, zones });
  const shared = { fire, arming, changeLog, rules, fences, zones, members, pauses, redactor };
  const services = createServices({ deps, settings, scheduler, armedIn, remarks, ...shared });
  const operations = createOperations(deps, services);
  const work = (): void => {
    const toolsetOf = createKeeperToolset(createTools(operations), rights);
    const runs = { deps, settings, toolsetOf, fences, pauses, redactor, closing: closing.signal };
    deps.queue.work(createTurnRunner(runs));
  };
  const background = { recovery, dispatching, arming, pruning, heartbeat: createHeartbeat(deps) };
  const parts = { pauses, members, ...background, work };
  let starting: Promise<void> = Promise.resolve();
  return {
    operations,
    changes: deps.changes,
    load: () => ({
      ...loadOf(scheduler, deps.queue),
      ...{ projects: arming.size, invalid: arming.invalid, nodes: members.size },
    }),
    attention: async () => attentionIn(services, await ownProjects(deps, members)),
    isPaused: async () => (await pauses.all()) !== null,
    arming: () => arming.progress,
    databaseBytes: async () => (await deps.store.retention.size()).bytes,
    ping: () => ping(deps),
    start(options) {
      starting = startAll(deps, parts, closing.signal, options);
      return starting;
    },
    tryFences: () => fences.tryAll(deps.runtimes.values()),
    pauseFiring: (on) => scheduler.pauseAll(on),
    leads: () => members.leads(),
    onLead: (on) => members.subscribe(on),
    async close(drainMs) {
      closing.abort();
      // The caller of `start` gets its error.
      await starting.catch(() => {});
      await stopAll(deps, { ...parts, scheduler, handed }, drainMs);
    },
  };
}

async function ownProjects(
  { projects }: Pick<OpsDeps, 'projects'>,
  members: Pick<Members, 'has'>,
): Promise<readonly Slug[]> {
  return (await projects.list()).filter((project) => members.has(project));
}

async function ping({ store, projects }: Pick<OpsDeps, 'store' | 'projects'>): Promise<void> {
  await store.ping();
  await projects.ping();
}

/** Creates the gate over the work. */
export function createOperations(
  deps: Pick<OpsDeps, 'logger' | 'clock' | 'store' | 'projects'>,
  services: Services,
  rows: readonly OperationRow[] = TABLE,
): Operations {
  const access = createAccess(rows);
  const targets = createTargetFinder(deps, access);
  const { logger, clock } = deps;
  const { connectivity } = deps.store;
  return createGate(
    { logger, clock, connectivity, access, targets, services, tools: TOOL_CATALOG },
    rows,
  );
}

function loadOf(
  { size: armed }: Scheduler,
  { running, waiting: queued }: OpsDeps['queue'],
): Omit<Load, 'projects' | 'invalid' | 'nodes'> {
  return { armed, running, queued };
}

function keeperRights(gates: OpsSettings['keeperGates']) {
  return {
    operations: (settings: ProjectSettings) => keeperOperations(gates, settings),
    writeProjects: (project: string) => keeperWriteProjects(gates, project),
  };
}

function membersOf(deps: OpsDeps, recovery: () => Recovery): Members {
  const { shared, queue } = deps;
  if (shared === undefined) return ALONE;
  return createMembers(deps, {
    cutOff(why) {
      if (queue.running > 0) {
        const reason = why === 'away' ? CUT_OFF : STOOD_STILL;
        deps.logger.error({ turns: queue.running, reason }, 'ending running turns');
      }
      queue.interrupt(new TurnStop('interrupted', why === 'away' ? CUT_OFF : STOOD_STILL));
    },
    back: () => queue.goOn(),
    evicted() {
      queue.interrupt(new TurnStop('interrupted', GIVEN_UP));
      shared.evicted();
    },
    gone: () => recovery().again(),
  });
}

const CUT_OFF = 'The server that ran it lost its database for too long.';
const STOOD_STILL = 'The server that ran it was suspended for too long.';
const GIVEN_UP = 'The server that ran it lost its database, or was suspended, for too long.';

interface SchedulerOptions extends Omit<SlotsOptions, 'inHand' | 'lanes'> {
  readonly onLost: (projects: readonly string[]) => void;
  readonly absence: (key: TriggerKey, due: number) => string | null;
}

function startScheduler(deps: OpsDeps, fire: FireTrigger, options: SchedulerOptions) {
  const inHand = new Set<string>();
  const lanes = createLanes(options);
  const handing = new Set<Promise<void>>();
  const scheduler: Scheduler = deps.createScheduler(
    (fires) => {
      const handed = fireSlots(deps, fire, fires, { ...options, inHand, lanes }).finally(() =>
        handing.delete(handed),
      );
      handing.add(handed);
      return handed;
    },
    (missed) => reportMissed(deps, missed),
    options.onLost,
    options.absence,
  );
  const isInHand = (run: string): boolean => inHand.has(run);
  const handed = () => Promise.all(handing);
  // Claimed runs come first, because they may be earlier than slots missed since then.
  deps.store.connectivity.subscribe((fault) => {
    if (fault === null) void handed().then(() => scheduler.retry());
  });
  return { scheduler, isInHand, handed };
}
