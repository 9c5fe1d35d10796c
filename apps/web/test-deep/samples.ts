const A_SERVER = { version: '1.0.0', startedAt: '2026-03-02T00:00:00.000Z', running: 2 };

/** Three servers: the one that answers, one on the same host with another version, and a silent one. */
const SERVERS = [
  {
    ...{ id: '01990c2e-6f01-7d44-8e2b-5c9a1f3b7d60', host: 'atlas' },
    ...{ ...A_SERVER, heartbeatAt: '2026-03-02T03:00:00.000Z' },
  },
  {
    ...{ id: '01990c2e-6f02-7a19-b3d4-0e7c6a2f8b51', host: 'atlas' },
    ...{ ...A_SERVER, version: '1.1.0', heartbeatAt: '2026-03-02T02:59:57.000Z', running: 0 },
  },
  {
    ...{
      id: '01990c2e-6f03-7c02-9a55-3d1b8e4f7a20',
      host: 'a-host-with-a-very-long-name.internal',
    },
    ...{ ...A_SERVER, heartbeatAt: '2026-03-02T02:59:46.000Z', running: 1 },
  },
];

const A_GONE = {
  ...{
    ...A_SERVER,
    host: 'atlas',
    url: 'http://10.0.0.7:7420',
    home: '/var/lib/svc-with-a-long-name',
  },
  ...{ heartbeatAt: '2026-03-02T02:30:00.000Z', goneAt: '2026-03-02T02:30:21.000Z', projects: 12 },
};

/** Servers that are gone: evicted with projects, evicted without, and stopped. */
const GONE = [
  { ...A_GONE, id: '01990c2e-6f04-7c02-9a55-3d1b8e4f7a21', how: 'lost' },
  { ...A_GONE, id: '01990c2e-6f05-7c02-9a55-3d1b8e4f7a22', how: 'lost', projects: 0 },
  { ...A_GONE, id: '01990c2e-6f06-7c02-9a55-3d1b8e4f7a23', how: 'stopped', home: null },
];

/** A status with turns of each kind. */
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
  nodes: SERVERS,
  differences: [],
  timezone: { name: 'UTC', warning: null },
  places: SERVERS.map(({ id }, n) => ({
    node: id,
    ...{ url: `http://10.0.0.${n + 4}:7420`, home: '/var/lib/svc', projects: n },
  })),
  gone: GONE,
  answeredBy: SERVERS[0]?.id,
  usageToday: { runs: 12, chatTurns: 1, tokensIn: 1204, tokensOut: 310, cost: 0.12 },
  costPerDay: { spent: 0.12, limit: 5 },
};

/** A status where everything is paused, an alert sink fails and the file watch limit is reached. */
export const HELD_STATUS = {
  ...STATUS,
  timezone: {
    name: 'UTC',
    warning:
      'TZ="Europe/Berln" is not a time zone, so UTC is used. Set TZ to an IANA name such as "Europe/Berlin".',
  },
  paused: { by: 'anna', at: '2026-03-02T03:00:00.000Z', reason: 'The wiki moves. '.repeat(20) },
  limitedWatch: {
    reason:
      'The limit fs.inotify.max_user_watches of this machine is reached. Raise it, for example with sysctl -w fs.inotify.max_user_watches=524288.',
    ...{ projects: 1808, seconds: 4 },
  },
};

/** The state of a trigger whose clock was set back, and whose zone data differs from that of the host. */
export const HELD = {
  clock: {
    ...{ aheadUntil: '2099-03-02T10:00:00.000Z', silentUntil: '2099-03-02T11:00:00.000Z' },
    ...{ canResume: true, message: 'The clock was ahead and was set back.' },
  },
  zoneData: {
    ...{ zone: 'America/Argentina/ComodRivadavia', from: '2099-03-02T11:00:00.000Z' },
    ...{ offset: '-04:00', hostOffset: '-05:00', message: 'Zone data differ.' },
  },
};

const MUCH = { chatTurns: 12_345, tokensIn: 12_345_678, tokensOut: 3_456_789, cost: 1234.5 };

/** The usage of a project by day, with numbers of many digits. */
export const MUCH_USED = {
  timezone: 'America/Argentina/ComodRivadavia',
  days: ['2026-03-01', '2026-03-02'].map((day) => ({ day, runs: 40_000, ...MUCH })),
  total: { runs: 80_000, ...MUCH, tokensIn: 370_370_340, tokensOut: 103_703_670, cost: 37_035 },
  triggers: [],
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

/** Settings with values of each kind. */
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
