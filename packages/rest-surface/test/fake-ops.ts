import {
  type Clock,
  failure,
  isoTime,
  type Logger,
  type Result,
  silentLogger,
  success,
} from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import {
  type Caller,
  type ChangeFeed,
  createChangeFeed,
  createOperations,
  type OperationError,
  type OperationResults,
  type Operations,
  type OpsDeps,
  type RowName,
  type Services,
  TABLE,
  TOOL_CATALOG,
} from '@svc/ops';
import { type Chat, EVENTS, GRANTABLE_TOOLS, type Run, TRIGGER_TYPES } from '@svc/records';
import { TRIGGER_DEFAULTS, validateTriggerName } from '@svc/trigger-schema';

type StoredTrigger = OperationResults['put_trigger']['record'];

export const RUN_ID = '01990000-0000-7000-8000-000000000001';
export const SESSION_ID = '01990000-0000-7000-8000-000000000002';
const NOW = isoTime(Date.parse('2026-01-01T00:00:00.000Z'));

/** The only process of the service. */
export const NODE = {
  id: '01990000-0000-7000-8000-00000000000a',
  host: 'atlas',
  version: '0',
  startedAt: NOW,
  heartbeatAt: NOW,
  running: 1,
};
const AT_NODE = { trigger: null, startedAt: NOW, node: NODE.id };

export const RECORD: StoredTrigger = {
  name: 'nightly',
  agentName: 'trigger-alpha-nightly',
  trigger: { type: 'schedule', cron: '0 3 * * *' },
  run: { prompt: 'Tidy up.', ...TRIGGER_DEFAULTS.run, tools: [] },
  enabled: true,
};

const WHY: OperationResults['why_trigger'] = {
  at: NOW,
  source: 'trigger',
  trigger: 'nightly',
  decision: 'no_slot',
  by: 'service',
  sentences: ['No slot.'],
  slot: null,
  before: null,
  after: NOW,
  runId: null,
  changes: [],
};

export const USED = { runs: 1, tokensIn: 12, tokensOut: null, cost: 0.5 };
const SUM = { ...USED, chatTurns: 0 };

const HOLDS: OperationResults['read_settings']['runtimes'][number]['holds'] = {
  tools: ['Read', 'Edit', 'Bash'],
  toolAllowList: 'enforced',
  maxTurns: 'exact',
  network: 'all',
  permissionModes: ['default', 'acceptEdits', 'bypassPermissions', 'plan'],
  resume: true,
  fork: true,
  svcManage: 'in-process',
  cost: 'none',
};

export const RUN: Run = {
  id: RUN_ID,
  project: 'alpha',
  source: 'trigger',
  trigger: 'nightly',
  cause: 'schedule',
  state: 'ended',
  scheduledFor: NOW,
  scheduledUntil: NOW,
  slotCount: 1,
  claimedAt: NOW,
  startedAt: NOW,
  endedAt: NOW,
  lateMs: 12,
  outcome: 'succeeded',
  reason: null,
  sessionId: SESSION_ID,
  turnId: null,
  turns: 2,
  toolCalls: 1,
  toolErrors: 0,
  sandbox: 'enforced',
  network: { reached: [{ host: 'api.example.com', port: 443, count: 1 }], refused: [] },
  denied: [],
  runtime: 'native',
  model: null,
  tokensIn: null,
  tokensOut: null,
  cost: null,
  by: null,
  person: null,
  catchUp: false,
  eventId: null,
};

export const RECENT = {
  id: RUN_ID,
  state: 'ended',
  outcome: 'succeeded',
  reason: null,
  at: NOW,
} as const;
export const SCHEDULE = { description: 'At 03:00 every day', timezone: 'UTC', firesPerDay: 1 };

export const CHAT: Chat = {
  sessionId: SESSION_ID,
  project: 'alpha',
  name: 'Tidy up.',
  agentName: null,
  by: 'user',
  person: null,
  trigger: null,
  runtime: 'native',
  model: null,
  capability: {
    runsAs: 'keeper',
    agentName: null,
    tools: ['Read'],
    permissionMode: 'default',
    maxTurns: 30,
    maxSpawnDepth: 1,
  },
  forkedFrom: null,
  createdAt: NOW,
  updatedAt: NOW,
  archivedAt: null,
  archivedBy: null,
  archived: false,
  running: false,
  messageCount: 1,
  prunedMessages: 0,
};

export const PROJECT: OperationResults['read_project'] = {
  slug: 'alpha',
  name: 'Alpha',
  summary: null,
  area: null,
  status: 'active',
  repo: null,
  keeper: { runtime: null, model: null, permissionMode: null },
  triggerCount: 1,
  faults: [],
};

export const HEALTH = {
  total: 1,
  needYou: 0,
  legacyNeedYou: 0,
  failing: 1,
  invalid: 0,
  paused: 0,
  unready: 0,
  limited: 0,
  silent: 0,
  running: 0,
  missed24h: 0,
  armed: 1,
  nextFire: NOW,
};

const MESSAGE = {
  seq: 1,
  turnId: null,
  role: 'user',
  kind: 'text',
  text: 'Tidy up.',
  tool: null,
  by: 'user',
  timestamp: NOW,
} as const;

/** One call of an operation. */
interface Call {
  readonly operation: RowName;
  readonly input: unknown;
  readonly caller: Caller;
}

/** The operations over one project named alpha, in memory. */
export interface FakeOps {
  readonly operations: Operations;
  readonly changes: ChangeFeed;
  readonly calls: Call[];
  readonly stored: Map<string, StoredTrigger>;
  /** Makes every call fail from now on: with an error, or an exception. */
  failWith(failure: OperationError | { thrown: unknown }): void;
  warn(...messages: string[]): void;
  /** Clears all records and failures. */
  reset(): void;
}

type MaybePromise<T> = T | Promise<T>;

/** Creates the result of an operation from its input. */
type Fakes = {
  readonly [N in RowName]?: (
    // biome-ignore lint/suspicious/noExplicitAny: each operation has an input of its own.
    input: any,
  ) => Result<OperationResults[N], OperationError>;
};

const ALPHA = { slug: 'alpha', names: ['alpha'], faults: [] };

/** The real gate in front of fake operations. */
export function createFakeOps(
  deps: { readonly logger: Logger; readonly clock: Clock } = {
    logger: silentLogger,
    clock: createFakeClock(),
  },
): FakeOps {
  const calls: Call[] = [];
  const stored = new Map<string, StoredTrigger>([['nightly', RECORD]]);
  let fault: OperationError | { thrown: unknown } | null = null;
  let warnings: { path: string; message: string }[] = [];
  const etagOf = (record: StoredTrigger) => `"${JSON.stringify(record).length}"`;
  const none = (what: string): Result<never, OperationError> =>
    failure({ code: 'not_found', message: `There is no such ${what}.` });
  const ifStored = <T>(name: string, result: T): Result<T, OperationError> =>
    stored.has(name) ? success(result) : none('trigger');
  const runOf = ({ run_id: id }: { run_id: string }) =>
    id === RUN_ID ? success(RUN) : none('run');
  const choices = { grantableTools: GRANTABLE_TOOLS, events: EVENTS, triggerTypes: TRIGGER_TYPES };
  const changes = createChangeFeed({ name: 'feed', remember: 3 });
  const archiving = { project: 'alpha', sessionId: SESSION_ID };
  const fakes: Fakes = {
    list_project_records: () => success({ projects: [{ ...PROJECT, health: HEALTH, node: null }] }),
    read_project: () => success(PROJECT),
    create_project: () => success(PROJECT),
    read_usage: () =>
      success({
        timezone: 'UTC',
        days: [{ day: '2026-03-01', ...SUM }],
        total: SUM,
        triggers: [],
      }),
    list_trigger_records: () =>
      success({
        triggers: [...stored.values()].map((record) => ({
          ...record,
          lastRun: RUN,
          recentRuns: [RECENT],
          upcoming: [NOW],
          usage: { today: USED, month: USED },
          runtimeInForce: 'native',
          schedule: SCHEDULE,
          etag: etagOf(record),
        })),
        invalid: [
          {
            name: 'broken',
            source: 'trigger',
            kind: 'invalid',
            issues: [{ path: 'run', message: 'x' }],
          },
        ],
        legacySchedules: [
          {
            name: 'old',
            type: 'interval',
            interval: '1h',
            prompt: 'Look.',
            resume_session: false,
            enabled: true,
            lastRun: null,
            recentRuns: [],
            upcoming: [],
            usage: { today: USED, month: USED },
            runtimeInForce: 'native',
            schedule: { ...SCHEDULE, timezone: null },
          },
        ],
        ...choices,
        catalog: { ...choices, tools: TOOL_CATALOG },
      }),
    read_trigger: ({ name }) => {
      const record = stored.get(name);
      return record === undefined
        ? none('trigger')
        : success({ record, etag: etagOf(record), warnings });
    },
    read_trigger_runtime: () =>
      success({
        runtime: [
          {
            name: 'nightly',
            source: 'trigger',
            type: 'schedule',
            armed: true,
            nextFire: NOW,
            timezone: 'UTC',
            running: false,
            paused: false,
          },
          {
            name: 'hook',
            source: 'trigger',
            type: 'webhook',
            armed: false,
            nextFire: null,
            timezone: null,
            running: false,
            paused: false,
            reason: 'Webhook triggers never fire yet.',
          },
        ],
      }),
    put_trigger({ name, record }) {
      const named = validateTriggerName(name);
      const known = typeof record === 'object' && record !== null && 'trigger' in record;
      const issues = named.ok ? [{ path: 'trigger', message: 'is required.' }] : named.issues;
      if (!named.ok || !known) return failure({ code: 'invalid', message: 'No.', issues });
      const created = !stored.has(name);
      const wire = { ...RECORD, name, agentName: `trigger-alpha-${name}` };
      stored.set(name, wire);
      return success({ record: wire, etag: etagOf(wire), created, warnings });
    },
    remove_trigger: ({ name }) => success({ removed: stored.delete(name), project: 'alpha', name }),
    validate_trigger: ({ name }) =>
      success({
        valid: false,
        issues: [{ path: 'run', message: 'is required.' }],
        warnings: [],
        ...(name === undefined ? {} : { edit: null }),
      }),
    run_trigger: ({ name }) =>
      ifStored(name, {
        ...{ ran: true, project: 'alpha', name, sessionId: SESSION_ID, runId: RUN_ID },
      } as OperationResults['run_trigger']),
    resume_trigger: ({ name }) => ifStored(name, { resumed: true, project: 'alpha', name }),
    confirm_file: () =>
      success({ confirmed: false, etag: 'a', inEffect: null, current: 'name: Alpha\n' }),
    list_prompt_files: () =>
      success({
        promptFiles: [{ source: 'trigger', name: 'a/b.md', size: 3, usedBy: ['nightly'] }],
      }),
    read_prompt_file: ({ source = 'trigger', file }) =>
      file === 'a/b.md' ? success({ source, name: file, text: 'Hi.' }) : none('prompt file'),
    list_upcoming: () =>
      success({
        fires: [{ trigger: 'nightly', at: NOW }],
        frequent: [{ trigger: 'often', firesPerDay: 1440 }],
      }),
    preview_schedule: () =>
      success({ upcoming: [NOW], description: 'Daily.', firesPerDay: 1, timezone: 'UTC' }),
    list_runs: () => success({ runs: [RUN], next: RUN_ID, removed: null }),
    list_trigger_runs: ({ name }) =>
      validateTriggerName(name).ok
        ? success({ runs: [RUN], next: RUN_ID, removed: null })
        : none('trigger'),
    list_all_runs: () => success({ runs: [RUN], next: RUN_ID }),
    find_run: runOf,
    read_run: runOf,
    cancel_run: runOf,
    list_events: () => success({ events: [], next: null }),
    why_trigger: ({ name }) => ifStored(name, WHY),
    list_trigger_changes: ({ name }) => ifStored(name, { changes: [], next: null }),
    list_chats: () => success({ chats: [CHAT], omittedArchived: 3, next: null }),
    create_chat: () => success(CHAT),
    send_message: ({ prompt }) => success({ sent: true, ...archiving, prompt }),
    fork_chat: () => success(CHAT),
    cancel_turn: () => success({ ...archiving, turnId: RUN_ID, runId: null }),
    archive_chat: () => success({ archived: true, ...archiving }),
    unarchive_chat: () => success({ archived: false, ...archiving }),
    pause_all: ({ reason = null }) =>
      success({
        paused: { by: 'user', at: NOW, reason },
        ...{ replaced: null, stopped: 0, servers: 1, answeredBy: NODE.id },
      }),
    resume_all: () => success({ paused: null }),
    test_alerts: ({ sink = 'ops' }) =>
      success({ tried: [{ sink, at: NOW, ok: true, error: null }] }),
    list_nodes: () => success({ nodes: [NODE] }),
    read_logs: () =>
      success({
        lines: [{ level: 30, time: NOW, msg: 'listening' }],
        ...{ last: 1, dropped: 0, node: NODE.id },
      }),
    read_status: () =>
      success({
        version: '0',
        paused: null,
        nodes: [NODE],
        differences: [],
        places: [],
        gone: [],
        answeredBy: NODE.id,
        running: [
          {
            ...{ turnId: RUN_ID, sessionId: SESSION_ID, runId: null },
            ...{ project: 'alpha', chat: 'Tidy up.', ...AT_NODE },
          },
        ],
        usageToday: SUM,
        costPerDay: null,
        alerts: { failing: [], waiting: 0 },
        timezone: { name: 'UTC', warning: null },
        attention: { total: 0, entries: [] },
        sandboxLack: null,
        limitedWatch: null,
      }),
    read_settings: () =>
      success({
        settings: { 'server.port': { value: 0, source: 'flag' } },
        clients: [],
        alerts: { sinks: [], heartbeat: null },
        runtimes: [
          {
            id: 'native',
            isDefault: true,
            ready: false,
            reason: 'It is broken.',
            holds: HOLDS,
            fence: { verdict: 'none', reason: null },
          },
        ],
      }),
  };
  const resultOf = async (
    run: () => MaybePromise<Result<unknown, OperationError>>,
  ): Promise<Result<unknown, OperationError>> => {
    if (fault === null) return run();
    if ('thrown' in fault) throw fault.thrown;
    return failure(fault);
  };
  const rows = TABLE.map((row) => {
    const fake = fakes[row.name];
    const run: typeof row.run = async (call, input) => {
      const result = await resultOf(() =>
        fake === undefined ? row.run(call, input) : fake(input),
      );
      const isCall = fake !== undefined || result.ok;
      if (isCall) calls.push({ operation: row.name, input, caller: call.caller });
      return result;
    };
    return { ...row, run };
  });
  const projects = {
    list: async () => ['alpha'],
    snapshot: async (slug: string) => (slug === 'alpha' ? ALPHA : null),
  };
  const chats = {
    get: async (id: string) => (id === SESSION_ID ? { chat: CHAT, depth: 0 } : null),
    messages: async () => ({ messages: [MESSAGE], next: null }),
    newerMessages: async () => ({ messages: [MESSAGE], next: 1 }),
  };
  const retention = { mayHaveHad: async () => false };
  const connectivity = { fault: null, quietMs: 0, subscribe: () => () => {} };
  const ports = {
    ...deps,
    changes,
    projects,
    store: { chats, retention, connectivity },
  } as unknown as OpsDeps;
  return {
    operations: createOperations(ports, { deps: ports } as Services, rows),
    changes,
    calls,
    stored,
    failWith: (next) => {
      fault = next;
    },
    warn: (...messages) => {
      warnings = messages.map((message) => ({ path: 'run.tools', message }));
    },
    reset: () => {
      calls.length = 0;
      stored.clear();
      stored.set('nightly', RECORD);
      fault = null;
      warnings = [];
    },
  };
}
