import { createToolPolicy } from '@svc/agent-runtime';
import { createRedactor, redactingLogger } from '@svc/core';
import {
  type ArmingProgress,
  type ChangeFeed,
  cleanStore,
  createEngine,
  type EngineSettings,
  type Load,
  type Members,
  type StartOptions,
} from '@svc/engine';
import { createChangeLog } from '@svc/history';
import type { Slug } from '@svc/records';
import type { ProjectRules, ProjectSettings } from '@svc/trigger-schema';
import type { OpsDeps, OpsSettings } from './deps.ts';
import { createGate } from './gate.ts';
import { createAccess } from './operations/access.ts';
import type { Operations } from './operations/door.ts';
import { keeperOperations, keeperWriteProjects } from './operations/keeper-gates.ts';
import { createKeeperToolset } from './operations/keeper-toolset.ts';
import type { OperationRow } from './operations/operation.ts';
import { attentionIn } from './operations/projects/shared.ts';
import { CATALOGUE, TABLE, TOOL_CATALOG } from './operations/table.ts';
import { createTargetFinder } from './operations/targets.ts';
import { createTools } from './operations/tool-door.ts';
import type { AttentionItem } from './queries/attention.ts';
import { createServices, type Services } from './services.ts';

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
  runSelfTests(): Promise<void>;
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
  const settings: EngineSettings = { ...own, keeperTools: rights.operations, toolPolicy };
  const changeLog = createChangeLog(deps, redactor, { isShared: deps.shared !== undefined });
  const engine = createEngine(deps, { settings, changeLog, redactor });
  const { arming, members, pauses, scheduler, selfTests } = engine;
  const services = createServices({ ...engine, deps, settings, changeLog, rules, redactor });
  const operations = createOperations(deps, services);
  return {
    operations,
    changes: deps.changes,
    load: engine.load,
    attention: async () => attentionIn(services, await ownProjects(deps, members)),
    isPaused: async () => (await pauses.all()) !== null,
    arming: () => arming.progress,
    databaseBytes: async () => (await deps.store.retention.size()).bytes,
    ping: () => ping(deps),
    start: (options) => engine.start(options, createKeeperToolset(createTools(operations), rights)),
    runSelfTests: () => selfTests.runAll(deps.runtimes.values()),
    pauseFiring: (on) => scheduler.pauseAll(on),
    leads: () => members.leads(),
    onLead: (on) => members.subscribe(on),
    close: engine.close,
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

function keeperRights(gates: OpsSettings['keeperGates']) {
  return {
    operations: (settings: ProjectSettings) => keeperOperations(gates, settings),
    writeProjects: (project: string) => keeperWriteProjects(gates, project),
  };
}
