/** What the service says of turns that run, so that there are some of each kind. */
export const STATUS = {
  alerts: { failing: [{ sink: 'ops', error: 'It answered 500.' }], waiting: 2 },
  running: [
    {
      ...{ turnId: 't1', project: 'hello', sessionId: 's1', chat: 'heartbeat', runId: 'r1' },
      ...{ trigger: 'heartbeat', startedAt: '2026-03-02T03:00:00.000Z' },
    },
    {
      ...{ turnId: 't2', project: 'hello', sessionId: 's2', chat: 'A question', runId: null },
      ...{ trigger: null, startedAt: '2026-03-02T03:00:00.000Z' },
    },
  ],
  usageToday: { runs: 12, chatTurns: 1, tokensIn: 1204, tokensOut: 310, cost: 0.12 },
  costPerDay: { spent: 0.12, limit: 5 },
};

const HOLDS = {
  ...{
    tools: [],
    toolAllowList: 'enforced',
    maxTurns: 'exact',
    permissionModes: ['default', 'plan'],
  },
  ...{ resume: true, fork: true, svcManage: 'in-process', cost: 'tokens' },
};

/** What the service says of its settings, so that there are some of each kind. */
export const SETTINGS = {
  alerts: {
    sinks: [
      {
        ...{ id: 'ops', kind: 'webhook', to: 'https://hooks.example/…', cooldown: '1h' },
        ...{ on: ['failed', 'paused', 'digest'], threshold: 3, problem: null },
        lastTry: { at: '2026-03-02T08:00:00.000Z', ok: false, error: 'It answered 500.' },
        ...{ waiting: 2, givenUp: 4 },
      },
      {
        ...{ id: 'mail', kind: 'command', to: 'sendmail', cooldown: '0s', on: ['failed'] },
        ...{ threshold: 1, problem: null, lastTry: null, waiting: 0, givenUp: 0 },
      },
    ],
    heartbeat: { to: 'https://watcher.example/…', every: '5m', lastTry: null },
  },
  settings: {
    envFile: { value: null, source: 'default' },
    'limits.turnTimeout': { value: '60m', source: 'default' },
    'server.port': { value: 0, source: 'flag' },
    'server.publicHosts': { value: ['a.example', 'b.example'], source: 'file' },
  },
  clients: [
    {
      clientId: 'ci',
      scope: {
        ...{ projects: ['hello'], allow: ['list_*', 'run_trigger'], deny: ['read_chat'] },
        ...{ denyProjects: [], maxSpawnDepth: 2 },
      },
    },
  ],
  runtimes: [
    {
      ...{ id: 'native', isDefault: true, ready: true, reason: null },
      holds: { ...HOLDS, tools: ['Read', 'Bash', 'mcp__svc_manage__list_triggers'] },
      fence: { verdict: 'holds', reason: null },
    },
    {
      ...{
        id: 'other',
        isDefault: false,
        ready: false,
        reason: 'it is not installed: install it.',
      },
      holds: { ...HOLDS, toolAllowList: 'none', svcManage: 'none', resume: false },
      fence: { verdict: 'fails', reason: 'a file was written outside of the folder.' },
    },
  ],
};
