import { failure, isoTime, type Result, success } from '@svc/core';
import {
  type AcceptedTrigger,
  createChangeFeed,
  type OperationError,
  type Ops,
  type ProjectView,
} from '@svc/ops';
import {
  type Chat,
  EVENTS,
  GRANTABLE_TOOLS,
  type Run,
  TOOL_CATALOG,
  TRIGGER_TYPES,
} from '@svc/records';
import { TRIGGER_DEFAULTS, validateTriggerName } from '@svc/trigger-schema';

type StoredTrigger = AcceptedTrigger['record'];

export const RUN_ID = '01990000-0000-7000-8000-000000000001';
export const SESSION_ID = '01990000-0000-7000-8000-000000000002';
const NOW = isoTime(Date.parse('2026-01-01T00:00:00.000Z'));

export const RECORD: StoredTrigger = {
  name: 'nightly',
  agentName: 'trigger-alpha-nightly',
  trigger: { type: 'schedule', cron: '0 3 * * *' },
  run: { prompt: 'Tidy up.', ...TRIGGER_DEFAULTS.run, tools: [] },
  enabled: true,
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
  turns: 2,
  toolCalls: 1,
  denied: [],
  runtime: 'native',
  model: null,
  cost: null,
  by: null,
  catchUp: false,
};

export const CHAT: Chat = {
  sessionId: SESSION_ID,
  project: 'alpha',
  name: 'Tidy up.',
  agentName: null,
  by: 'user',
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
};

export const PROJECT: ProjectView = {
  slug: 'alpha',
  name: 'Alpha',
  summary: null,
  area: null,
  status: 'active',
  repo: null,
  triggerCount: 1,
  faults: [],
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

const gone = (what: string): OperationError => ({
  code: 'not_found',
  message: `There is no such ${what}.`,
});

/** One call of an operation, with what it was given. */
interface Call {
  readonly operation: string;
  readonly args: readonly unknown[];
}

/** The operations over one project named alpha, all in memory. */
export interface FakeOps extends Ops {
  readonly calls: Call[];
  readonly stored: Map<string, StoredTrigger>;
  /** What every operation answers from now on instead of its own answer: an error, or something thrown. */
  failWith(failure: OperationError | { thrown: unknown }): void;
  warn(...messages: string[]): void;
  /** Forgets everything that happened. */
  reset(): void;
}

export function createFakeOps(): FakeOps {
  const calls: Call[] = [];
  const stored = new Map<string, StoredTrigger>([['nightly', RECORD]]);
  let fault: OperationError | { thrown: unknown } | null = null;
  let warnings: { path: string; message: string }[] = [];
  const etagOf = (record: StoredTrigger) => `"${JSON.stringify(record).length}"`;
  const at = <T>(
    operation: string,
    project: string,
    args: readonly unknown[],
    answer: () => Result<T, OperationError>,
  ): Result<T, OperationError> => {
    calls.push({ operation, args: [project, ...args] });
    if (fault !== null && 'thrown' in fault) throw fault.thrown;
    if (project !== 'alpha') return failure(gone('project'));
    return fault === null ? answer() : failure(fault);
  };
  const chatAt = (operation: string, project: string, sessionId: string, ...args: unknown[]) =>
    at(operation, project, [sessionId, ...args], () =>
      sessionId === SESSION_ID ? success(CHAT) : failure(gone('chat')),
    );
  const catalog = {
    grantableTools: GRANTABLE_TOOLS,
    events: EVENTS,
    triggerTypes: TRIGGER_TYPES,
  };
  return {
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
    triggers: {
      list: async (project) =>
        at('list', project, [], () =>
          success({
            triggers: [...stored.values()].map((record) => ({
              ...record,
              lastRun: RUN,
              upcoming: [NOW],
            })),
            invalid: [
              { name: 'broken', source: 'trigger', issues: [{ path: 'run', message: 'x' }] },
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
                upcoming: [],
              },
            ],
            ...catalog,
            catalog: { ...catalog, tools: TOOL_CATALOG },
          }),
        ),
      get: async (project, name) =>
        at('get', project, [name], () => {
          const record = stored.get(name);
          if (record === undefined) return failure(gone('trigger'));
          return success({ record, etag: etagOf(record), warnings });
        }),
      runtime: async (project) =>
        at('runtime', project, [], () =>
          success([
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
          ]),
        ),
      run: async (caller, project, name) =>
        at('run', project, [name, caller], () =>
          stored.has(name)
            ? success({ sessionId: SESSION_ID, runId: RUN_ID })
            : failure(gone('trigger')),
        ),
      upcoming: async (project, hours) =>
        at('upcoming', project, [hours], () => success([{ trigger: 'nightly', at: NOW }])),
      put: async (caller, project, name, record, condition) =>
        at('put', project, [name, record, condition, caller], () => {
          const named = validateTriggerName(name);
          const known = typeof record === 'object' && record !== null && 'trigger' in record;
          const issues = named.ok ? [{ path: 'trigger', message: 'is required.' }] : named.issues;
          if (!named.ok || !known) return failure({ code: 'invalid', message: 'No.', issues });
          const created = !stored.has(name);
          stored.set(name, { ...RECORD, name, agentName: `trigger-alpha-${name}` });
          const wire = stored.get(name) as StoredTrigger;
          return success({ record: wire, etag: etagOf(wire), created, warnings });
        }),
      remove: async (caller, project, name, condition) =>
        at('remove', project, [name, condition, caller], () =>
          success({ removed: stored.delete(name) }),
        ),
      validate: async (project, record) =>
        at('validate', project, [record], () =>
          success({
            valid: false,
            issues: [{ path: 'run', message: 'is required.' }],
            warnings: [],
          }),
        ),
    },
    runs: {
      list: async (project, query) =>
        at('runs', project, [query], () => success({ runs: [RUN], next: RUN_ID })),
      get: async (project, id) =>
        at('run', project, [id], () => (id === RUN_ID ? success(RUN) : failure(gone('run')))),
      cancel: async (caller, project, id) =>
        at('cancel', project, [id, caller], () =>
          id === RUN_ID ? success(RUN) : failure(gone('run')),
        ),
    },
    chats: {
      list: async (project, query) =>
        at('chats', project, [query], () =>
          success({ chats: [CHAT], omittedArchived: 3, next: null }),
        ),
      get: async (project, id, query) => {
        const chat = chatAt('chat', project, id, query);
        return chat.ok ? success({ chat: chat.value, messages: [MESSAGE], next: null }) : chat;
      },
      create: async (caller, project, chat) =>
        at('create', project, [chat, caller], () => success(CHAT)),
      send: async (caller, project, id, prompt) => chatAt('send', project, id, prompt, caller),
      archive: async (caller, project, id) => {
        const chat = chatAt('archive', project, id, caller);
        return chat.ok ? success({ archived: true }) : chat;
      },
      unarchive: async (project, id) => {
        const chat = chatAt('unarchive', project, id);
        return chat.ok ? success({ archived: false }) : chat;
      },
      fork: async (caller, project, id, fork) => chatAt('fork', project, id, fork, caller),
    },
    operations: {
      visible: () => [],
      call() {
        throw new Error('No route goes through the tools.');
      },
    },
    projects: {
      list: async () => {
        if (fault !== null && 'thrown' in fault) throw fault.thrown;
        return [PROJECT];
      },
      get: async (slug) => (slug === 'alpha' ? success(PROJECT) : failure(gone('project'))),
      create: async (project) => at('newProject', 'alpha', [project], () => success(PROJECT)),
    },
    changes: createChangeFeed({ name: 'feed', remember: 3 }),
    preview: (request) =>
      at('preview', 'alpha', [request], () =>
        success({ upcoming: [NOW], description: 'Daily.', firesPerDay: 1, timezone: 'UTC' }),
      ),
    load: () => ({ armed: 0, running: 0, queued: 0 }),
    ping: async () => {},
    pauseFiring: () => {},
    start: async () => {},
    close: async () => {},
  };
}
