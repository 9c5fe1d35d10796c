import type { Change, Chat, Run } from '@svc/records';
import { type NamedTrigger, TRIGGER_DEFAULTS } from '@svc/trigger-schema';
import type { RunUsage, UsageSum } from '../queries/usage.ts';
import type { ProjectView } from './projects/shared.ts';

const RUN_ID = '01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01';
const SESSION_ID = '01990c2e-7a11-7d02-8a4b-91c7e3d50f12';
const TURN_ID = '01990c2e-7a12-7e5a-b1c0-6f0d2c9a7e23';
const NODE_ID = '01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60';
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

const disabledChange: Change = {
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
  sandbox: 'enforced',
  network: {
    reached: [{ host: 'handbook.example.com', port: 443, count: 3 }],
    refused: [
      {
        host: 'packages.example.com',
        port: 443,
        count: 1,
        reason: 'The host is not in the list of allowed hosts.',
      },
    ],
  },
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

const used: RunUsage = { runs: 1, tokensIn: 5210, tokensOut: 840, cost: 0.0211 };

const sum: UsageSum = { ...used, chatTurns: 2 };

const page = { runs: [run], next: null, removed: { count: 1200, until: run.claimedAt } };

const prompt = 'Which pages link to the old wiki?';

const archiving = { project: 'handbook', sessionId: SESSION_ID };

/** Values that the examples of several operations share. */
export const sample = {
  ENDED,
  NEXT,
  RUN_ID,
  SESSION_ID,
  SLOT,
  TURN_ID,
  archiving,
  atlas,
  chat,
  declared,
  page,
  project,
  prompt,
  record,
  run,
  started,
  sum,
  disabledChange,
  used,
} as const;
