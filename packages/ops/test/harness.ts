import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Runtime, TurnEnd, TurnEvent, TurnSpec, TurnStop } from '@svc/agent-runtime';
import { newId } from '@svc/core';
import { createFakeClock, createMemoryLogger, type FakeClock } from '@svc/core/testing';
import type { ZoneHost } from '@svc/engine';
import { type AlertPort, createChangeFeed, createOps, type KeeperGates, type Ops } from '@svc/ops';
import { createProjects, type Projects } from '@svc/projects';
import { GRANTABLE_TOOLS, type NewMessage, PERMISSION_MODES, type Run } from '@svc/records';
import { createScheduler } from '@svc/scheduler';
import { createTurnQueue, openStore, type Store } from '@svc/store';
import { type PeoplesView, peoplesView } from './people.ts';

export const T0 = Date.parse('2026-03-01T09:00:00.000Z');
export const MINUTE = 60_000;

/** A turn that a test has in its hands. */
interface HeldTurn {
  readonly spec: TurnSpec;
  say(text: string): void;
  tell(message: NewMessage): void;
  /** Names the session of the runtime. */
  session(ref: string): void;
  end(outcome?: TurnEnd['outcome'], reason?: string | null, used?: Partial<TurnEnd>): void;
  /** Tells what it has cost so far, in millionths of a US dollar. */
  cost(microusd: number): Promise<void>;
}

/** A runtime whose turns do what the test says. */
export interface PuppetRuntime extends Runtime {
  readonly turns: HeldTurn[];
  ready: boolean;
}

export interface World {
  readonly clock: FakeClock;
  readonly runtime: PuppetRuntime;
  readonly logger: ReturnType<typeof createMemoryLogger>;
  readonly root: string;
  readonly reaped: string[][];
  /** How many texts were read as YAML. */
  readonly reads: { count: number };
  readonly swept: (readonly [string, number])[];
  ops: Ops & PeoplesView;
  store: Store;
  projects: Projects;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Waits until something holds; time stands still. */
  until<T>(
    what: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  ): Promise<T>;
  runs(): Promise<readonly Run[]>;
  /** Stops without a goodbye, as a killed process, and starts again over the same files. */
  restart(options?: {
    afterMs?: number;
    edit?: () => void;
    /** Done once nothing works any more, while the store is still open. */
    before?: () => Promise<unknown>;
  }): Promise<void>;
}

const HOLDS_ALL: Runtime['holds'] = {
  tools: GRANTABLE_TOOLS.filter((tool) => tool !== 'WebSearch'),
  toolAllowList: 'enforced',
  maxTurns: 'exact',
  permissionModes: PERMISSION_MODES,
  resume: true,
  fork: true,
  svcManage: 'in-process',
  cost: 'none',
};

/** Makes a runtime that holds everything, but for what is said. */
export function puppet(
  id = 'native',
  holds: Partial<Runtime['holds']> = {},
  selfTest?: Runtime['selfTest'],
): PuppetRuntime {
  const turns: HeldTurn[] = [];
  return {
    id,
    turns,
    ready: true,
    holds: { ...HOLDS_ALL, ...holds },
    ...(selfTest === undefined ? {} : { selfTest }),
    async probe() {
      return this.ready ? { ready: true } : { ready: false, reason: 'it is broken.' };
    },
    async *start(spec, signal) {
      const lines: (TurnEvent | TurnEnd)[] = [];
      let wake = (): void => {};
      const push = (line: TurnEvent | TurnEnd): void => {
        lines.push(line);
        wake();
      };
      const end: HeldTurn['end'] = (outcome = 'succeeded', reason = null, used = {}) =>
        push({ ...NOTHING, outcome, reason, turns: 1, toolCalls: 1, ...used });
      const tell: HeldTurn['tell'] = (message) => push({ type: 'message', message });
      const say: HeldTurn['say'] = (text) =>
        tell({ role: 'assistant', kind: 'text', text, tool: null });
      const session: HeldTurn['session'] = (ref) => push({ type: 'session', ref });
      const stop = (): void => {
        const { kind, reason } = signal.reason as TurnStop;
        end(kind, reason);
      };
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop);
      const cost: HeldTurn['cost'] = async (costMicrousd) =>
        spec.onUsage?.({ tokensIn: 10, tokensOut: 1, costMicrousd });
      turns.push({ spec, say, tell, session, end, cost });
      for (;;) {
        const line = lines.shift();
        if (line === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if ('type' in line) {
          yield line;
        } else {
          yield { type: 'ended', end: line };
          return;
        }
      }
    },
  };
}

const NOTHING: TurnEnd = {
  outcome: 'succeeded',
  reason: null,
  turns: 0,
  toolCalls: 0,
  toolErrors: 0,
  denied: [],
  model: 'puppet',
  tokensIn: null,
  tokensOut: null,
  costMicrousd: null,
};

export interface WorldOptions {
  start?: boolean;
  gates?: KeeperGates;
  /** Runtimes beside native. */
  runtimes?: readonly PuppetRuntime[];
  /** Values that must not be kept. */
  secrets?: readonly string[];
  /** What `native` tells of its cost. Default: none. */
  cost?: Runtime['holds']['cost'];
  /** What all turns of a day may cost, in US dollars. */
  costPerDayUsd?: number;
  /** Whether there is an alert service; it has no sinks. */
  alerts?: true;
  /** Most fires a day of the instance. */
  firesPerDay?: number;
  retention?: { readonly runs: number | null; readonly ageMs: number | null };
  /** What the host knows of time zones. */
  zoneHost?: ZoneHost;
  /** Puts itself before the projects on disk. */
  projects?: (onDisk: Projects) => Projects;
}

const NO_SINKS: AlertPort = {
  standing: async () => ({ sinks: [], heartbeat: null }),
  test: async () => null,
};

const NO_GATES: KeeperGates = { read: false, write: false, projects: false, hooks: false };

interface Parts {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly logger: World['logger'];
  readonly runtime: PuppetRuntime;
  readonly runtimes: readonly PuppetRuntime[];
  readonly reaped: string[][];
  readonly reads: { count: number };
  /** Folders that were swept, and before when. */
  readonly swept: (readonly [string, number])[];
}

async function open(
  parts: Parts,
  options: WorldOptions,
): Promise<{ ops: World['ops']; store: Store; projects: Projects; close(): Promise<void> }> {
  const { clock, logger, reaped, swept, folder } = parts;
  const store = await openStore({ clock }, { file: join(folder, 'svc.db'), version: '0' });
  const queue = createTurnQueue({ clock, logger }, { concurrent: 3, perProject: 2 });
  const rules = {
    minIntervalMs: 1000,
    runtimes: parts.runtimes.map(({ id: name, holds }) => ({ name, holds, costly: false })),
  };
  const onDisk = createProjects(
    { clock, logger },
    {
      root: join(folder, 'projects'),
      validation: rules,
      onRead: () => {
        parts.reads.count += 1;
      },
    },
  );
  const projects = options.projects?.(onDisk) ?? onDisk;
  const ops = createOps(
    {
      clock,
      logger,
      store,
      queue,
      projects,
      changes: createChangeFeed({ name: newId() }),
      runtimes: new Map(parts.runtimes.map((one) => [one.id, one])),
      reaper: {
        async endTurns(ids) {
          reaped.push([...ids]);
          return { ended: 0 };
        },
      },
      secrets: () => options.secrets ?? [],
      ...(options.alerts === undefined ? {} : { alerts: NO_SINKS }),
      ...(options.zoneHost === undefined ? {} : { zoneHost: options.zoneHost }),
      async sweep(project, before) {
        swept.push([project, before]);
        return { removed: 0 };
      },
      createScheduler: (onFire, onMissed, onLost, absence) =>
        createScheduler({ clock, logger, claims: store.claims, onFire, onMissed, onLost, absence }),
    },
    {
      maxSpawnDepth: 1,
      defaultRuntime: 'native',
      turnTimeoutMs: 60 * MINUTE,
      agentEnv: { PATH: '/bin' },
      firesPerDay: options.firesPerDay ?? null,
      costPerDayUsd: options.costPerDayUsd ?? null,
      ...(options.retention === undefined ? {} : { retention: options.retention }),
      keeperGates: options.gates ?? NO_GATES,
    },
    rules,
  );
  const close = async (): Promise<void> => {
    await ops.close(0);
    await store.close();
  };
  return { ops: { ...ops, ...peoplesView(ops.operations) }, store, projects, close };
}

let database: Promise<Buffer> | null = null;

/** The file of an empty database. It is created once, because migrations take longer than most tests. */
function emptyDatabase(): Promise<Buffer> {
  const create = async (): Promise<Buffer> => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-ops-'));
    const file = join(folder, 'svc.db');
    const store = await openStore({ clock: createFakeClock(T0) }, { file, version: '0' });
    await store.close();
    const content = readFileSync(file);
    rmSync(folder, { recursive: true });
    return content;
  };
  database ??= create();
  return database;
}

/** A project without triggers. An empty file would delay the read, as if it were still being written. */
export const NO_TRIGGERS = '# Nothing yet.\n';

/** Opens a whole instance with a puppet runtime and a clock that stands still. */
export async function withWorld(
  yaml: string,
  test: (world: World) => Promise<void>,
  options: WorldOptions = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ops-'));
  const root = join(folder, 'projects');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('demo/project.yaml', yaml);
  writeFileSync(join(folder, 'svc.db'), await emptyDatabase());
  const logger = createMemoryLogger();
  const clock = createFakeClock(T0);
  const runtime = puppet('native', { cost: options.cost ?? 'none' });
  const parts: Parts = {
    folder,
    clock,
    logger,
    runtime,
    runtimes: [runtime, ...(options.runtimes ?? [])],
    reaped: [],
    swept: [],
    reads: { count: 0 },
  };
  let instance = await open(parts, options);
  const until: World['until'] = async (what) => {
    for (let n = 0; n < 6000; n += 1) {
      const found = await what();
      if (found !== null && found !== undefined && found !== false) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`timed out waiting for ${what}`);
  };
  const world: World = {
    ...parts,
    root,
    ops: instance.ops,
    store: instance.store,
    projects: instance.projects,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    until,
    async runs() {
      const list = await instance.ops.runs.list('demo', { limit: 200 });
      return list.ok ? list.value.runs : [];
    },
    async restart({ afterMs = 0, edit, before } = {}) {
      // Whatever the dying process still does, nothing of it is written.
      const nothing = async (): Promise<boolean> => false;
      Object.assign(instance.store.turns, { end: nothing, append: nothing, start: nothing });
      Object.assign(instance.store.spans, { end: nothing });
      await instance.ops.close(0);
      await before?.();
      await instance.store.close();
      parts.runtime.turns.length = 0;
      clock.suspend(afterMs);
      edit?.();
      instance = await open(parts, options);
      this.ops = instance.ops;
      this.store = instance.store;
      this.projects = instance.projects;
      await this.ops.start({ schedules: true });
    },
  };
  try {
    if (options.start !== false) await world.ops.start({ schedules: true });
    await test(world);
  } finally {
    await instance.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function scheduled(extra = ''): string {
  return `triggers:
  nightly:
    trigger: { type: schedule, cron: "* * * * *", timezone: UTC }
    run: { prompt: "Do it." ${extra} }
    enabled: true
`;
}
