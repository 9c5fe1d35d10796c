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
  type AcceptedTrigger,
  type ChangeFeed,
  createChangeFeed,
  createOperations,
  type Nouns,
  type OperationError,
  type Operations,
  type OpsDeps,
  type ProjectView,
  type RuntimeReadiness,
  type Why,
} from '@svc/ops';
import { type Chat, EVENTS, GRANTABLE_TOOLS, type Run, TRIGGER_TYPES } from '@svc/records';
import { TRIGGER_DEFAULTS, validateTriggerName } from '@svc/trigger-schema';

type StoredTrigger = AcceptedTrigger['record'];

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

const WHY: Why = {
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

const HOLDS: RuntimeReadiness['holds'] = {
  tools: ['Read', 'Edit', 'Bash'],
  toolAllowList: 'enforced',
  maxTurns: 'exact',
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

export const PROJECT: ProjectView = {
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

/** One call of an operation, with its arguments. */
interface Call {
  readonly operation: string;
  readonly args: readonly unknown[];
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

type Found = Parameters<Nouns['chats']['archive']>[1];
type Snapshot = Found['snapshot'];

const ALPHA = { slug: 'alpha', names: ['alpha'], faults: [] } as unknown as Snapshot;

/** The real gate in front of fake work. */
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
  const note = (operation: string, ...args: unknown[]): void => {
    calls.push({ operation, args });
    if (fault !== null && 'thrown' in fault) throw fault.thrown;
  };
  const at = async <T>(
    operation: string,
    { slug }: { readonly slug: string },
    args: readonly unknown[],
    answer: () => Result<T, OperationError>,
  ): Promise<Result<T, OperationError>> => {
    note(operation, slug, ...args);
    return fault === null || 'thrown' in fault ? answer() : failure(fault);
  };
  const none = (what: string): Result<never, OperationError> =>
    failure({ code: 'not_found', message: `There is no such ${what}.` });
  const choices = { grantableTools: GRANTABLE_TOOLS, events: EVENTS, triggerTypes: TRIGGER_TYPES };
  const changes = createChangeFeed({ name: 'feed', remember: 3 });
  const nouns: Nouns = {
    changes,
    projects: {
      async views(slugs) {
        if (fault !== null && 'thrown' in fault) throw fault.thrown;
        return slugs.map(() => PROJECT);
      },
      async withHealth(slugs) {
        if (fault !== null && 'thrown' in fault) throw fault.thrown;
        return slugs.map(() => ({ ...PROJECT, health: HEALTH, node: null }));
      },
      attention: async () => [],
      view: () => PROJECT,
      create: (_, project) => at('newProject', ALPHA, [project], () => success(PROJECT)),
    },
    triggers: {
      async list({ slug }) {
        note('list', slug);
        return {
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
          invalid: [{ name: 'broken', source: 'trigger', issues: [{ path: 'run', message: 'x' }] }],
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
        };
      },
      flat: { list: async () => ({}), one: async () => null },
      get: (project, name) =>
        at('get', project, [name], () => {
          const record = stored.get(name);
          return record === undefined
            ? none('trigger')
            : success({ record, etag: etagOf(record), warnings });
        }),
      async states({ slug }) {
        note('runtime', slug);
        return [
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
        ];
      },
      run: (caller, project, name, event) =>
        at('run', project, [name, caller, ...(event === undefined ? [] : [event])], () =>
          stored.has(name) ? success({ sessionId: SESSION_ID, runId: RUN_ID }) : none('trigger'),
        ),
      async upcoming({ slug }, hours) {
        note('upcoming', slug, hours);
        return {
          fires: [{ trigger: 'nightly', at: NOW }],
          frequent: [{ trigger: 'often', firesPerDay: 1440 }],
        };
      },
      put: (_caller, project, name, record, condition) =>
        at('put', project, [name, record, condition], () => {
          const named = validateTriggerName(name);
          const known = typeof record === 'object' && record !== null && 'trigger' in record;
          const issues = named.ok ? [{ path: 'trigger', message: 'is required.' }] : named.issues;
          if (!named.ok || !known) return failure({ code: 'invalid', message: 'No.', issues });
          const created = !stored.has(name);
          stored.set(name, { ...RECORD, name, agentName: `trigger-alpha-${name}` });
          const wire = stored.get(name) as StoredTrigger;
          return success({ record: wire, etag: etagOf(wire), created, warnings });
        }),
      remove: (_caller, project, name, condition) =>
        at('remove', project, [name, condition], () => success({ removed: stored.delete(name) })),
      async validate({ slug }, record, name) {
        note('validate', slug, record, ...(name === undefined ? [] : [name]));
        const verdict = { valid: false, issues: [{ path: 'run', message: 'is required.' }] };
        return success({ ...verdict, warnings: [], ...(name === undefined ? {} : { edit: null }) });
      },
      patch: async () => success({ warnings: [] }),
      preview(request) {
        note('preview', 'alpha', request);
        return success({
          upcoming: [NOW],
          description: 'Daily.',
          firesPerDay: 1,
          timezone: 'UTC',
        });
      },
    },
    pausing: {
      all: async () => null,
      async pause(_caller, wish) {
        note('pause', 'alpha', wish);
        const paused = { by: 'user', at: NOW, reason: wish.reason ?? null };
        return success({ paused, replaced: null, stopped: 0, servers: 1, answeredBy: NODE.id });
      },
      resume: async () => success({ paused: null }),
      resumeTrigger: (_caller, project, name) =>
        at('resume', project, [name], () =>
          stored.has(name) ? success({ resumed: true, project: 'alpha', name }) : none('trigger'),
        ),
      reasonOf: async () => null,
    },
    alerts: {
      standing: async () => ({ sinks: [], heartbeat: null }),
      trouble: async () => ({ failing: [], waiting: 0 }),
      async test(_caller, sink) {
        note('test', 'alpha', sink);
        return success({ tried: [{ sink: sink ?? 'ops', at: NOW, ok: true, error: null }] });
      },
    },
    service: {
      version: '0',
      timezone: { name: 'UTC', warning: null },
      limitedWatch: null,
      nodeId: NODE.id,
      nodes: async () => [NODE],
      logs(after, most) {
        note('logs', after, most);
        return { lines: [{ level: 30, time: NOW, msg: 'listening' }], last: 1, dropped: 0 };
      },
      differences: async () => [],
      places: async () => [],
      gone: async () => [],
      holder: () => null,
      async running([slug = '']) {
        note('running', slug);
        const ids = { turnId: RUN_ID, sessionId: SESSION_ID, runId: null };
        return [{ ...ids, project: 'alpha', chat: 'Tidy up.', ...AT_NODE }];
      },
      settings: async () => ({
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
    },
    why: {
      why: (project, name, query) =>
        at('why', project, [name, query], () =>
          stored.has(name) ? success(WHY) : none('trigger'),
        ),
      changes: (project, name, query) =>
        at('changes', project, [name, query], () =>
          stored.has(name) ? success({ changes: [], next: null }) : none('trigger'),
        ),
    },
    usage: {
      async of(project, days) {
        note('usage', project, days);
        return { timezone: 'UTC', days: [{ day: '2026-03-01', ...SUM }], total: SUM, triggers: [] };
      },
      today: async () => SUM,
      costPerDay: async () => null,
    },
    promptFiles: {
      list: async () => [{ source: 'trigger', name: 'a/b.md', size: 3, usedBy: ['nightly'] }],
      read: (project, source, name) =>
        at('prompt', project, [source, name], () =>
          name === 'a/b.md' ? success({ source, name, text: 'Hi.' }) : none('prompt file'),
        ),
    },
    events: {
      async list(project, filter) {
        note('events', project, filter);
        return { events: [], next: null };
      },
    },
    runs: {
      async list(project, query) {
        note('runs', project, query);
        return { runs: [RUN], next: RUN_ID, removed: null };
      },
      async listAll(projects, query) {
        note('all-runs', projects, query);
        return { runs: [RUN], next: RUN_ID };
      },
      async find(projects, id) {
        note('find', projects, id);
        return id === RUN_ID ? success(RUN) : none('run');
      },
      get: (slug, id) =>
        at('run', { slug }, [id], () => (id === RUN_ID ? success(RUN) : none('run'))),
      cancel: (caller, slug, id) =>
        at('cancel', { slug }, [id, caller], () => (id === RUN_ID ? success(RUN) : none('run'))),
      outcome: async () => null,
    },
    chats: {
      list: ([slug = ''], query) =>
        at('chats', { slug }, [query], () =>
          success({ chats: [CHAT], omittedArchived: 3, next: null }),
        ),
      messages: ({ chat, snapshot }, query) =>
        at('chat', snapshot, [chat.sessionId, query], () =>
          success({ messages: [MESSAGE], next: null }),
        ),
      async newerMessages({ chat, snapshot }, query) {
        note('newer', snapshot.slug, chat.sessionId, query);
        return { messages: [MESSAGE], next: '1' };
      },
      create: (caller, project, chat) => at('create', project, [chat, caller], () => success(CHAT)),
      send: (caller, { chat, snapshot }, prompt) =>
        at('send', snapshot, [chat.sessionId, prompt, caller], () => success(CHAT)),
      fork: (caller, { chat, snapshot }, wishes) =>
        at('fork', snapshot, [chat.sessionId, ...wishes, caller], () => success([CHAT])),
      cancel: (caller, { chat, snapshot }) =>
        at('cancel', snapshot, [chat.sessionId, caller], () =>
          success({ project: 'alpha', sessionId: SESSION_ID, turnId: RUN_ID, runId: null }),
        ),
      async archive(caller, { chat, snapshot }) {
        note('archive', snapshot.slug, chat.sessionId, caller);
        return { archived: true, project: 'alpha', sessionId: chat.sessionId };
      },
      async unarchive({ chat, snapshot }) {
        note('unarchive', snapshot.slug, chat.sessionId);
        return { archived: false, project: 'alpha', sessionId: chat.sessionId };
      },
    },
  };
  const projects = {
    list: async () => ['alpha'],
    snapshot: async (slug: string) => (slug === 'alpha' ? ALPHA : null),
  };
  const chats = {
    get: async (id: string) => (id === SESSION_ID ? { chat: CHAT, depth: 0 } : null),
  };
  const retention = { mayHaveHad: async () => false };
  const connectivity = { fault: null, quietMs: 0, subscribe: () => () => {} };
  const ports = {
    ...deps,
    projects,
    store: { chats, retention, connectivity },
  } as unknown as OpsDeps;
  return {
    operations: createOperations(ports, nouns),
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
