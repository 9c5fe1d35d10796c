/** What the service says of turns that run, so that there are some of each kind. */
export const STATUS = {
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
};

/** What the service says of its settings, so that there are some of each kind. */
export const SETTINGS = {
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
    { id: 'native', isDefault: true, ready: true, reason: null },
    { id: 'other', isDefault: false, ready: false, reason: 'It is not installed.' },
  ],
};
