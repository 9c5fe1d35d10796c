import type { Schemas } from '@svc/client';
import { configure } from '@testing-library/react';
import type {
  Health,
  LifecycleEvent,
  RecentRun,
  Run,
  RuntimeState,
  Trigger,
} from '../src/data/api-types.ts';

// A busy machine needs more time.
configure({ asyncUtilTimeout: 10_000 });

/** The answers of the fake service: a body, or a whole response. */
type Answers = Readonly<Record<string, unknown | (() => Response)>>;

/** Replaces the service with fixed answers, by method and path, and returns the requests that it received. */
export function serve(answers: Answers): Request[] {
  const seen: Request[] = [];
  globalThis.fetch = async (input, init) => {
    const request = new Request(input as Request, init);
    seen.push(request.clone());
    const answer = answers[`${request.method} ${new URL(request.url).pathname}`];
    if (answer === undefined) {
      const body = { error: 'Page not found.', code: 'not_found' };
      return Response.json(body, { status: 404 });
    }
    return typeof answer === 'function' ? answer() : Response.json(answer);
  };
  return seen;
}

/** A response whose event stream stays open and silent. */
export const silentStream = (): Response => new Response(new ReadableStream());

export const aRun = (facts: Partial<Run> = {}): Run => ({
  id: '01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01',
  project: 'hello',
  source: 'trigger',
  trigger: 'nightly',
  cause: 'schedule',
  state: 'ended',
  scheduledFor: '2026-03-02T03:00:00.000Z',
  scheduledUntil: '2026-03-02T03:00:00.000Z',
  slotCount: 1,
  claimedAt: '2026-03-02T03:00:00.000Z',
  startedAt: '2026-03-02T03:00:00.000Z',
  endedAt: '2026-03-02T03:00:41.000Z',
  lateMs: 3,
  outcome: 'succeeded',
  reason: null,
  sessionId: null,
  turns: 1,
  toolCalls: 1,
  toolErrors: 0,
  denied: [],
  sandbox: null,
  network: null,
  runtime: 'native',
  model: 'playbook',
  tokensIn: null,
  tokensOut: null,
  cost: null,
  by: null,
  person: null,
  catchUp: false,
  eventId: null,
  turnId: null,
  ...facts,
});

/** An archived chat that started no run. */
export const anEvent = (facts: Partial<LifecycleEvent> = {}): LifecycleEvent => ({
  ...{ id: '01990c2e-7a10-7c33-9f0e-2b6d5a1f4e01', event: 'onArchive', sessionId: 's1' },
  ...{ chat: 'The door', by: 'user', turnId: null, runs: [] },
  createdAt: '2026-03-02T03:00:00.000Z',
  dispatchedAt: '2026-03-02T03:00:00.100Z',
  ...facts,
});

/** The short form of a run, as lists return it. */
export const aRecent = (facts: Partial<RecentRun> = {}): RecentRun => ({
  id: '01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01',
  state: 'ended',
  outcome: 'succeeded',
  reason: null,
  at: '2026-03-02T03:00:00.000Z',
  ...facts,
});

export const aTrigger = (name: string, facts: Partial<Trigger> = {}): Trigger => ({
  name,
  agentName: `trigger-hello-${name}`,
  trigger: { type: 'schedule', cron: '0 3 * * *' },
  run: { prompt: 'Look.', session: 'new', tools: ['Read', 'Bash'], maxTurns: 30 },
  enabled: true,
  schedule: { description: 'Every day at 03:00', timezone: 'UTC', firesPerDay: 1 },
  lastRun: null,
  recentRuns: [],
  upcoming: [],
  usage: {
    today: { runs: 0, tokensIn: null, tokensOut: null, cost: null },
    month: { runs: 0, tokensIn: null, tokensOut: null, cost: null },
  },
  runtimeInForce: 'native',
  etag: '"1"',
  ...facts,
});

export const aRuntime = (name: string, facts: Partial<RuntimeState> = {}): RuntimeState => ({
  name,
  source: 'trigger',
  type: 'schedule',
  armed: true,
  nextFire: '2026-03-03T03:00:00.000Z',
  timezone: 'UTC',
  running: false,
  paused: false,
  ...facts,
});

/** The attention reason of a trigger whose newest run failed. */
export const FAILING: Pick<RuntimeState, 'attention'> = {
  attention: [{ kind: 'failing', reason: 'Its last run failed.' }],
};

/** One armed trigger. */
export const aHealth = (facts: Partial<Health> = {}): Health => ({
  ...{ total: 1, needYou: 0, legacyNeedYou: 0, failing: 0, invalid: 0, paused: 0, unready: 0 },
  limited: 0,
  ...{ silent: 0, running: 0, missed24h: 0, armed: 1, nextFire: '2026-03-03T03:00:00.000Z' },
  ...facts,
});

type Runtime = Schemas['EffectiveSettings']['runtimes'][number];

/** A runtime that is ready and enforces everything: by default `native` with the playbook. */
export const aRuntimeOf = (id: string, holds: object = {}, facts: Partial<Runtime> = {}) => ({
  id,
  ...{ isDefault: id === 'native', ready: true, reason: null },
  holds: {
    ...{ tools: ['Read', 'Bash'], toolAllowList: 'enforced', maxTurns: 'exact' },
    permissionModes: ['default', 'acceptEdits', 'bypassPermissions', 'plan'],
    ...{ resume: true, fork: true, svcManage: 'in-process', cost: 'none' },
    ...holds,
  },
  fence: { verdict: 'holds', reason: null },
  ...facts,
});

/** The status of a service: one server, nothing is running. */
export const aStatus = (facts: object = {}) => ({
  timezone: { name: 'UTC', warning: null },
  ...{ version: '1.0.0', paused: null, running: [], usageToday: aUse(), costPerDay: null },
  ...{ nodes: [aServer('atlas')], differences: [], answeredBy: 'atlas' },
  ...facts,
});

/** An active server, with its host as its name. */
export const aServer = (host: string, facts: object = {}) => ({
  ...{ id: host, host, version: '1.0.0', startedAt: '2026-03-02T00:00:00.000Z' },
  ...{ heartbeatAt: '2026-03-02T03:00:00.000Z', running: 0, ...facts },
});

/** Usage of turns: empty by default, and without known costs. */
export const aUse = (facts: object = {}) => ({
  ...{ runs: 0, chatTurns: 0, tokensIn: null, tokensOut: null, cost: null },
  ...facts,
});

export const aProject = (slug: string, facts: object = {}) => ({
  slug,
  name: slug,
  summary: null,
  area: null,
  status: 'active',
  repo: null,
  keeper: { runtime: null, model: null, permissionMode: null },
  triggerCount: 1,
  faults: [],
  health: aHealth(),
  ...facts,
});

/** A chat with its messages; without any by default. */
export const aChat = (facts: object = {}) => ({
  ...{ sessionId: 's1', project: 'hello', name: 'A question', by: 'user', trigger: null },
  ...{ running: false, archived: false, archivedBy: null, forkedFrom: null, prunedMessages: 0 },
  ...{ runtime: 'native', model: 'playbook' },
  createdAt: '2026-03-02T03:00:00.000Z',
  updatedAt: '2026-03-02T03:00:00.000Z',
  capability: {
    ...{ runsAs: 'keeper', tools: ['Read'], permissionMode: 'default' },
    ...{ maxTurns: 30, maxSpawnDepth: 0 },
  },
  messages: [],
  next: null,
  ...facts,
});

const HELLO = '/api/projects/hello';

/** The answers of a service with one project, one trigger, one run and one chat, without a sign-in. */
export const HELLO_SERVICE: Answers = {
  'GET /api/projects': { projects: [aProject('hello', { name: 'Hello' })] },
  [`GET ${HELLO}/triggers`]: {
    ...{ triggers: [aTrigger('nightly')], invalid: [], legacySchedules: [] },
    catalog: {
      ...{ grantableTools: ['Read', 'Bash'], events: ['onArchive'], triggerTypes: ['schedule'] },
      tools: ['Read', 'Bash'].map((name) => ({
        ...{ name, description: name, group: 'files', dangerous: false },
      })),
    },
  },
  [`GET ${HELLO}/triggers/runtime`]: { runtime: [aRuntime('nightly')] },
  [`GET ${HELLO}/triggers/nightly`]: () =>
    Response.json(aTrigger('nightly'), { headers: { ETag: '"v1"' } }),
  [`GET ${HELLO}/upcoming`]: { fires: [], frequent: [] },
  [`POST ${HELLO}/validate-trigger`]: { valid: true, issues: [], warnings: [] },
  [`GET ${HELLO}/prompt-files`]: { promptFiles: [] },
  'GET /api/preview': {
    upcoming: ['2026-03-03T03:00:00.000Z'],
    ...{ description: 'At 03:00 every day', firesPerDay: 1, timezone: 'UTC' },
  },
  [`GET ${HELLO}/runs`]: { runs: [], next: null },
  [`GET ${HELLO}/runs/r1`]: aRun({ id: 'r1' }),
  [`GET ${HELLO}/events`]: { events: [], next: null },
  [`GET ${HELLO}/chats`]: { chats: [aChat()], next: null },
  [`GET ${HELLO}/chats/s1`]: aChat(),
  'GET /api/status': aStatus(),
  'GET /api/settings': {
    ...{ settings: {}, clients: [], runtimes: [aRuntimeOf('native')] },
    alerts: { sinks: [], heartbeat: null },
  },
  'GET /api/session': { mode: 'none', signedIn: true, user: null, role: 'write' },
  'GET /api/events': silentStream,
};
