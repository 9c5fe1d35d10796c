import type { SessionView } from '@svc/browser-auth';
import {
  type ProjectHealth,
  type ProjectView,
  type RuntimeReadiness,
  type RuntimeState,
  type RunUsage,
  TOOL_CATALOG,
  type TriggerList,
  type UsageSum,
  type Why,
} from '@svc/ops';
import {
  type Change,
  type Chat,
  EVENTS,
  GRANTABLE_TOOLS,
  type Message,
  type Run,
  TRIGGER_TYPES,
} from '@svc/records';
import { type NamedTrigger, TRIGGER_DEFAULTS } from '@svc/trigger-schema';

/** Example values of the path parameters. */
export const SEGMENT_EXAMPLES: Readonly<Record<string, string>> = Object.freeze({
  slug: 'handbook',
  name: 'nightly',
  runId: '01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01',
  sessionId: '01990c2e-7a11-7d02-8a4b-91c7e3d50f12',
  file: 'report.md',
});

/** The example of one operation in the document. */
export interface RouteExample {
  /** Values of query parameters. */
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  readonly response: object;
}

const { runId: RUN_ID = '', sessionId: SESSION_ID = '' } = SEGMENT_EXAMPLES;
const EVENT_ID = '01990c2e-79f0-7a11-9c3e-5b7d02e4a8f6';
const TURN_ID = '01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23';
const NODE_ID = '01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60';
const OTHER_NODE_ID = '01990c2e-6f02-7a19-b3d4-0e7c6a2f8b51';
const SLOT = '2026-03-02T03:00:00.000Z';
const ENDED = '2026-03-02T03:00:41.000Z';
const NEXT = '2026-03-03T03:00:00.000Z';

const atlas = {
  id: NODE_ID,
  host: 'atlas',
  version: '1.0.0',
  startedAt: SLOT,
  heartbeatAt: ENDED,
  running: 1,
};

const declared: Pick<NamedTrigger, 'trigger' | 'run' | 'enabled'> = {
  trigger: { type: 'schedule', cron: '0 3 * * *', timezone: 'Europe/Berlin' },
  run: {
    prompt: 'Check the links of the handbook and fix the broken ones.',
    ...TRIGGER_DEFAULTS.run,
    tools: ['Read', 'Edit', 'WebFetch'],
  },
  enabled: true,
};

const switchedOff: Change = {
  id: '01990c2e-7a13-7b21-9d10-4c8e6f0b5d34',
  at: '2026-02-28T17:02:00.000Z',
  project: 'handbook',
  source: 'trigger',
  trigger: 'nightly',
  kind: 'disabled',
  by: 'client:ci',
  person: null,
  via: 'client',
  sessionId: null,
  writtenAt: null,
  reason: null,
  fields: [{ field: 'enabled', from: 'true', to: 'false' }],
  standing: {
    enabled: false,
    type: 'schedule',
    cron: '0 3 * * *',
    timezone: 'Europe/Berlin',
    interval: null,
    on: null,
    catchUp: 'latest',
    delayMs: 0,
  },
  anchor: null,
};

const why: Why = {
  at: '2026-03-01T02:00:00.000Z',
  source: 'trigger',
  trigger: 'nightly',
  decision: 'off',
  by: 'client:ci',
  sentences: [
    'No slot: the trigger was disabled from Saturday 18:02 (disabled by client:ci) to 09:10.',
  ],
  slot: null,
  before: null,
  after: null,
  runId: null,
  changes: [switchedOff],
};

const record = { name: 'nightly', agentName: 'trigger-handbook-nightly', ...declared };

const run: Run = {
  id: RUN_ID,
  project: 'handbook',
  source: 'trigger',
  trigger: 'nightly',
  cause: 'schedule',
  state: 'ended',
  scheduledFor: SLOT,
  scheduledUntil: SLOT,
  slotCount: 1,
  claimedAt: SLOT,
  startedAt: SLOT,
  endedAt: ENDED,
  lateMs: 3,
  outcome: 'succeeded',
  reason: null,
  sessionId: SESSION_ID,
  turnId: TURN_ID,
  turns: 4,
  toolCalls: 3,
  toolErrors: 0,
  denied: [],
  runtime: 'native',
  model: 'playbook',
  tokensIn: null,
  tokensOut: null,
  cost: null,
  by: null,
  person: null,
  catchUp: false,
  eventId: null,
};

const waiting: Run = {
  ...run,
  cause: 'manual',
  state: 'queued',
  scheduledFor: null,
  scheduledUntil: null,
  slotCount: 0,
  startedAt: null,
  endedAt: null,
  lateMs: null,
  outcome: null,
  turns: 0,
  toolCalls: 0,
  toolErrors: null,
  by: 'user',
  person: 'anna',
};

const chat: Chat = {
  sessionId: SESSION_ID,
  project: 'handbook',
  name: 'Check the links of the handbook and fix the broken ones.',
  agentName: 'trigger-handbook-nightly',
  by: null,
  person: null,
  trigger: 'nightly',
  runtime: 'native',
  model: 'playbook',
  capability: {
    runsAs: 'agent',
    agentName: 'trigger-handbook-nightly',
    tools: ['Read', 'Edit', 'WebFetch'],
    permissionMode: 'default',
    maxTurns: 30,
    maxSpawnDepth: 1,
  },
  forkedFrom: null,
  createdAt: SLOT,
  updatedAt: ENDED,
  archivedAt: null,
  archivedBy: null,
  archived: false,
  running: false,
  messageCount: 8,
  prunedMessages: 0,
};

const started: Chat = {
  ...chat,
  name: 'Which pages link to the old wiki?',
  agentName: null,
  by: 'user',
  person: 'anna',
  trigger: null,
  running: true,
  messageCount: 1,
  prunedMessages: 0,
};

const message: Message = {
  seq: 8,
  turnId: TURN_ID,
  role: 'assistant',
  kind: 'text',
  text: 'Two links were broken. Both point to the new address now.',
  tool: null,
  by: null,
  timestamp: ENDED,
};

const project: ProjectView = {
  slug: 'handbook',
  name: 'Handbook',
  summary: 'How we work.',
  area: 'docs',
  status: 'active',
  repo: null,
  keeper: { runtime: null, model: null, permissionMode: null },
  triggerCount: 1,
  faults: [],
};

const health: ProjectHealth = {
  total: 1,
  needYou: 1,
  legacyNeedYou: 0,
  failing: 0,
  invalid: 0,
  paused: 0,
  unready: 0,
  limited: 1,
  silent: 0,
  running: 0,
  missed24h: 0,
  armed: 1,
  nextFire: NEXT,
};

const choices = { grantableTools: GRANTABLE_TOOLS, events: EVENTS, triggerTypes: TRIGGER_TYPES };

const used: RunUsage = { runs: 1, tokensIn: 5210, tokensOut: 840, cost: 0.0211 };
const sum: UsageSum = { ...used, chatTurns: 2 };

const triggers: TriggerList = {
  triggers: [
    {
      ...record,
      lastRun: run,
      recentRuns: [{ id: RUN_ID, state: 'ended', outcome: 'succeeded', reason: null, at: SLOT }],
      upcoming: [NEXT],
      usage: { today: used, month: { ...used, runs: 22 } },
      runtimeInForce: 'native',
      schedule: { description: 'At 03:00 every day', timezone: 'Europe/Berlin', firesPerDay: 1 },
      etag: '"m1l5bVxXJq8Qn2rUe0Kz4w"',
    },
  ],
  invalid: [],
  legacySchedules: [],
  ...choices,
  catalog: { ...choices, tools: TOOL_CATALOG },
};

const runtime: RuntimeState = {
  name: 'nightly',
  source: 'trigger',
  type: 'schedule',
  armed: true,
  nextFire: NEXT,
  timezone: 'Europe/Berlin',
  running: false,
  paused: false,
};

const holds: RuntimeReadiness['holds'] = {
  tools: ['Read', 'Edit', 'Bash'],
  toolAllowList: 'enforced',
  maxTurns: 'exact',
  permissionModes: ['default', 'acceptEdits', 'bypassPermissions', 'plan'],
  resume: true,
  fork: true,
  svcManage: 'in-process',
  cost: 'none',
};

const paused = { by: 'anna', at: SLOT, reason: 'The wiki moves to another host.' };

const session: SessionView = { mode: 'token', signedIn: true, user: null, role: 'write' };

const page = { runs: [run], next: null, removed: { count: 1200, until: run.claimedAt } };
const prompt = 'Which pages link to the old wiki?';
const archiving = { project: 'handbook', sessionId: SESSION_ID };

/** One example of each operation, by its name. */
export const EXAMPLES: Readonly<Record<string, RouteExample>> = Object.freeze({
  list_triggers: { response: triggers },
  read_trigger_runtime: { response: { runtime: [runtime] } },
  read_trigger: { response: record },
  set_trigger: { body: declared, response: record },
  validate_trigger: {
    body: { ...declared, trigger: { type: 'schedule', cron: '0 3 * *' } },
    response: {
      valid: false,
      issues: [{ path: 'trigger.cron', message: 'must have five fields: it has 4.' }],
      warnings: [],
    },
  },
  remove_trigger: { response: { ok: true, name: 'nightly', removed: true } },
  run_trigger: {
    body: { event: { chat: { name: 'Fix the door', messages: 4 } } },
    response: { ok: true, name: 'nightly', sessionId: SESSION_ID, runId: RUN_ID },
  },
  list_prompt_files: {
    response: {
      promptFiles: [{ source: 'trigger', name: 'report.md', size: 812, usedBy: ['nightly'] }],
    },
  },
  read_prompt_file: {
    response: { source: 'trigger', name: 'report.md', text: 'Write the report.\n' },
  },
  list_all_runs: { response: { runs: [run], next: null } },
  find_run: { response: run },
  list_runs: { response: page },
  list_trigger_runs: { response: page },
  why_trigger: { query: { at: SLOT }, response: why },
  list_trigger_changes: { response: { changes: [switchedOff], next: null } },
  read_run: { response: run },
  cancel_run: { response: waiting },
  list_events: {
    response: {
      events: [
        {
          id: EVENT_ID,
          event: 'onArchive',
          sessionId: SESSION_ID,
          chat: 'Release notes',
          by: 'user',
          turnId: null,
          createdAt: SLOT,
          dispatchedAt: SLOT,
          runs: [{ id: RUN_ID, trigger: 'on-archive', state: 'ended', outcome: 'succeeded' }],
        },
      ],
      next: null,
    },
  },
  list_upcoming: {
    response: {
      fires: [{ trigger: 'nightly', at: NEXT }],
      frequent: [{ trigger: 'heartbeat', firesPerDay: 2880 }],
    },
  },
  preview_schedule: {
    query: { cron: '0 3 * * *', timezone: 'Europe/Berlin' },
    response: {
      upcoming: [NEXT],
      description: 'At 03:00, every day.',
      firesPerDay: 1,
      timezone: 'Europe/Berlin',
    },
  },
  list_projects: { response: { projects: [{ ...project, health, node: null }] } },
  create_project: {
    body: { name: 'Handbook', summary: 'How we work.', area: 'docs', status: 'active' },
    response: project,
  },
  read_project: { response: project },
  read_usage: {
    response: {
      timezone: 'Europe/Berlin',
      days: [{ day: '2026-03-02', ...sum }],
      total: sum,
      triggers: [{ source: 'trigger', name: 'nightly', ...sum, chatTurns: 0 }],
    },
  },
  pause_all: {
    body: { reason: 'The wiki moves to another host.', stopRunning: true },
    response: { paused, replaced: null, servers: 1, answeredBy: atlas.id, stopped: 1 },
  },
  resume_all: { response: { paused: null } },
  resume_trigger: { response: { resumed: true, project: 'handbook', name: 'nightly' } },
  test_alerts: {
    body: { sink: 'ops' },
    response: { tried: [{ sink: 'ops', at: SLOT, ok: true, error: null }] },
  },
  read_status: {
    response: {
      version: '1.0.0',
      paused: null,
      nodes: [atlas],
      differences: [],
      places: [{ node: atlas.id, url: 'http://127.0.0.1:7420', home: '/var/lib/svc', projects: 3 }],
      gone: [],
      answeredBy: atlas.id,
      alerts: {
        failing: [{ sink: 'ops', error: 'The server responded with status 500.' }],
        waiting: 2,
      },
      usageToday: sum,
      costPerDay: { spent: 1.25, limit: 5 },
      timezone: { name: 'Europe/Berlin', warning: null },
      attention: {
        total: 1,
        entries: [
          {
            project: 'handbook',
            source: 'trigger',
            name: 'nightly-report',
            kind: 'limited',
            reason:
              'Turns have cost 5.01 US dollars today, and limits.costPerDayUsd of this instance is 5; turns that cost start again tomorrow.',
          },
        ],
      },
      limitedWatch: {
        reason:
          'The limit fs.inotify.max_user_watches of this machine is reached. Raise it, for example with sysctl -w fs.inotify.max_user_watches=524288.',
        projects: 1808,
        seconds: 4,
      },
      running: [
        {
          turnId: TURN_ID,
          project: 'handbook',
          sessionId: SESSION_ID,
          chat: 'nightly',
          runId: RUN_ID,
          trigger: 'nightly',
          startedAt: SLOT,
          node: atlas.id,
        },
      ],
    },
  },
  list_nodes: {
    response: { nodes: [atlas, { ...atlas, id: OTHER_NODE_ID, host: 'bora', running: 0 }] },
  },
  read_logs: {
    response: {
      lines: [{ level: 30, time: SLOT, url: 'http://127.0.0.1:7420', msg: 'listening' }],
      last: 1,
      dropped: 0,
      node: atlas.id,
    },
  },
  read_settings: {
    response: {
      settings: { 'limits.turnTimeout': { value: '60m', source: 'default' } },
      clients: [
        {
          clientId: 'ci',
          scope: {
            projects: ['handbook'],
            allow: ['list_*', 'run_trigger'],
            deny: [],
            denyProjects: [],
            maxSpawnDepth: null,
          },
        },
      ],
      runtimes: [
        {
          id: 'native',
          isDefault: true,
          ready: true,
          reason: null,
          holds,
          fence: { verdict: 'none', reason: null },
        },
      ],
      alerts: {
        sinks: [
          {
            id: 'ops',
            kind: 'webhook',
            to: 'https://hooks.example/…',
            on: ['failed', 'missed', 'paused', 'recovered'],
            threshold: 1,
            cooldown: '1h',
            problem: null,
            lastTry: { at: SLOT, ok: false, error: 'The server responded with status 500.' },
            waiting: 2,
            givenUp: 0,
          },
        ],
        heartbeat: {
          to: 'https://watcher.example/…',
          every: '5m',
          lastTry: { at: SLOT, ok: true, error: null },
        },
      },
    },
  },
  list_chats: { response: { chats: [chat], omittedArchived: 0, next: null } },
  read_chat: { response: { ...chat, messages: [message], next: '8' } },
  create_chat: { body: { prompt }, response: started },
  send_message: {
    body: { prompt },
    response: { sent: true, project: 'handbook', sessionId: SESSION_ID, prompt },
  },
  cancel_turn: {
    response: { project: 'handbook', sessionId: SESSION_ID, turnId: TURN_ID, runId: null },
  },
  archive_chat: { response: { archived: true, ...archiving } },
  unarchive_chat: { response: { archived: false, ...archiving } },
  read_session: { response: session },
  sign_in: { body: { token: 'the access token' }, response: session },
  sign_out: { response: { ...session, signedIn: false, role: null } },
  fork_chat: { body: { prompt }, response: { ...started, forkedFrom: SESSION_ID } },
});
