import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SETTING_TABLE } from '@svc/settings';
import { homeAt } from '../src/home.ts';
import { readManagement } from '../src/management.ts';
import { type OpenHome, openHome, type Running, until, withHome } from './harness.ts';
import { callTool, exchange, messageIn, openWire, requestOf, rpc } from './wire.ts';

const ON = '/mcp enabled';
const OFF = '/mcp disabled (no managementApi.clients configured)';
const WRONG = 'managementApi is invalid';
const SKIPPED = 'management client ignored: its configuration is invalid';
const DROPPED = 'management client ignored: its token is unset, blank or too short';
const UNBOUND = 'token of a management client is not bound to an instance';
const ELSEWHERE = 'token of a management client is bound to another instance and will be refused';
const CODE = 'management client may make this instance run code';
const TWICE = 'management client ignored: another client has the same token';

type Line = readonly [level: 'error' | 'warn' | 'info', message: string, fields: object];
const LEVELS = { error: 50, warn: 40, info: 30 };

const token = (name: string, instance = 'home'): string =>
  `tok_${instance}_${name.padEnd(20, '0')}`;
const TOKENS: Record<string, string> = {
  GOOD: token('good'),
  SPACED: ` ${token('spaced')}\n`,
  UNBOUND: 'x'.repeat(24),
  SHORT: 'x'.repeat(23),
  BLANK: '   ',
  ELSEWHERE: token('elsewhere', 'other'),
  CODE: token('code'),
  DENIED: token('denied'),
  TYPELESS: token('typeless'),
  PREVIOUS: token('previous'),
};

/** Every state of a client, in one file, with the log lines that it causes. */
const CLIENTS: readonly [yaml: string, lines: readonly Line[]][] = [
  ['good: { auth: { type: token, ref: env:GOOD } }', []],
  ['typeless: { auth: { ref: env:TYPELESS } }', []],
  ['spaced: { auth: { ref: env:SPACED } }', []],
  [
    `inline: { auth: { ref: env:GOOD, token: ${token('inline')} } }`,
    [
      [
        'error',
        SKIPPED,
        {
          clientId: 'inline',
          key: 'auth.token',
          problem: 'must not be in the file; name an environment variable with auth.ref: env:NAME',
        },
      ],
    ],
  ],
  [
    `inline-2: { secret: ${token('inline')}, auth: { ref: env:GOOD } }`,
    [['error', SKIPPED, { clientId: 'inline-2', key: 'secret', problem: expect.any(String) }]],
  ],
  [
    'oauth: { auth: { type: oauth, ref: env:GOOD } }',
    [['error', SKIPPED, { clientId: 'oauth', key: 'auth.type', problem: 'must be token' }]],
  ],
  ...['{ auth: {} }', '{ auth: { ref: GOOD } }', '{ auth: { ref: "file:/token" } }', '{}', '~'].map(
    (entry, n): [string, Line[]] => [
      `refless-${n}: ${entry}`,
      [
        [
          'error',
          SKIPPED,
          {
            clientId: `refless-${n}`,
            key: 'auth.ref',
            problem: 'must name an environment variable, as in env:SVC_TOKEN',
          },
        ],
      ],
    ],
  ),
  [
    'auth-key: { auth: { ref: env:GOOD, reff: x } }',
    [['error', SKIPPED, { clientId: 'auth-key', key: 'auth.reff', problem: expect.any(String) }]],
  ],
  [
    'scope-key: { auth: { ref: env:GOOD }, scope: { alow: ["*"] } }',
    [['error', SKIPPED, { clientId: 'scope-key', key: 'scope.alow', problem: expect.any(String) }]],
  ],
  [
    'scope-value: { auth: { ref: env:GOOD }, scope: { allow: "*" } }',
    [
      [
        'error',
        SKIPPED,
        { clientId: 'scope-value', key: 'scope.allow', problem: 'must be a list of strings' },
      ],
    ],
  ],
  ...['UNSET', 'BLANK', 'SHORT'].map((variable): [string, Line[]] => [
    `${variable.toLowerCase()}: { auth: { ref: env:${variable} } }`,
    [['warn', DROPPED, { clientId: variable.toLowerCase(), variable, minLength: 24 }]],
  ]),
  ['unbound: { auth: { ref: env:UNBOUND } }', [['warn', UNBOUND, { clientId: 'unbound' }]]],
  ['elsewhere: { auth: { ref: env:ELSEWHERE } }', [['warn', ELSEWHERE, { clientId: 'elsewhere' }]]],
  [
    'twice: { auth: { ref: env:GOOD } }',
    [['error', TWICE, { clientId: 'twice', sameTokenAs: 'good' }]],
  ],
  [
    'code: { auth: { ref: env:CODE }, scope: { allow: ["*"] } }',
    [
      [
        'warn',
        CODE,
        {
          clientId: 'code',
          operations: [
            'create_project',
            'create_chat',
            'fork_chat',
            'send_message',
            'fork_chat_batch',
            'set_trigger',
            'run_trigger',
          ],
        },
      ],
    ],
  ],
  [
    'denied: { auth: { ref: env:DENIED }, scope: { allow: ["*"], deny: ["*_trigger", "set_*", "run_*", "fork_*", "create_*"] } }',
    [['warn', CODE, { clientId: 'denied', operations: ['send_message'] }]],
  ],
];
const ENABLED = ['good', 'typeless', 'spaced', 'unbound', 'elsewhere', 'code', 'denied'];

const configOf = (clients: readonly string[], more = ''): string =>
  `managementApi:\n  instanceId: home\n  publicUrl: https://svc.example.com\n${more}  clients:\n${clients.map((client) => `    ${client}\n`).join('')}`;

/** The log of a server until it listens. */
const logged = ({ lines }: Running): object[] =>
  lines
    .slice(0, lines.findIndex(({ msg }) => msg === 'listening') + 1)
    .map(({ time: _, ...line }) => line);
const LISTENING = {
  level: 30,
  msg: 'listening',
  url: expect.any(String),
  home: expect.any(String),
  version: expect.any(String),
};
const written = (lines: readonly Line[]): object[] =>
  lines.map(([level, msg, fields]) => ({ level: LEVELS[level], msg, ...fields }));

const homes: OpenHome[] = [];
afterAll(() => Promise.all(homes.map((home) => home.close())));

async function boot(config: string, env: Record<string, string> = TOKENS): Promise<Running> {
  const home = openHome();
  homes.push(home);
  home.write('svc.config.yaml', config);
  return home.serve(env);
}

const ask = (server: Running, given: string | null, parts = {}) =>
  exchange(server.url, requestOf({ token: given, body: rpc('ping'), ...parts }));

describe('a file with every kind of client', () => {
  let server: Running;
  beforeAll(async () => {
    server = await boot(configOf(CLIENTS.map(([yaml]) => yaml)));
  });

  // proves: auth.only-config-tokens, auth.min-length.dropped, versions.credentials
  // proves: config.auth-type.only-token, config.auth-ref.only-form, config.inline-secret
  // proves: handling.malformed, handling.unresolvable, handling.code-warning, handling.enabled-line
  it('logs one line for each faulty client, in order, and one that lists the enabled ones', () => {
    expect(logged(server)).toEqual([
      ...written(CLIENTS.flatMap(([, lines]) => lines)),
      { level: 30, msg: ON, clients: ENABLED, instanceId: 'home' },
      LISTENING,
    ]);
  });

  // proves: auth.min-length, auth.binding.unbound, config.auth-type.default
  // proves: config.auth-ref.variable, handling.unresolvable
  it.each(['GOOD', 'TYPELESS', 'SPACED', 'UNBOUND', 'CODE', 'DENIED'])(
    'admits %s',
    async (name) => {
      expect((await ask(server, String(TOKENS[name]).trim())).status).toBe(200);
    },
  );

  // proves: auth.min-length, auth.binding.refused
  it.each(['SHORT', 'ELSEWHERE'])('rejects %s', async (name) => {
    expect((await ask(server, String(TOKENS[name]))).status).toBe(401);
  });

  // proves: config.inline-secret
  it('rejects a token that is written in the file', async () => {
    expect((await ask(server, token('inline'))).status).toBe(401);
  });

  // proves: config.credential.never-logged
  it('logs none of the tokens', () => {
    const all = JSON.stringify(server.lines) + server.stderr();
    for (const secret of [...Object.values(TOKENS), token('inline')]) {
      if (secret.trim() !== '') expect(all).not.toContain(secret.trim());
    }
  });
});

describe('a server whose endpoint stays disabled', () => {
  const GOOD = ['good: { auth: { ref: env:GOOD } }'];
  const urlError = (problem: string): Line => [
    'error',
    WRONG,
    { key: 'managementApi.publicUrl', problem },
  ];
  const off: Line = ['info', OFF, {}];
  const rows: [string, string, readonly Line[]][] = [
    ['no client', 'managementApi: { publicUrl: https://svc.example.com, clients: {} }\n', [off]],
    [
      'no public URL',
      configOf(GOOD).replace(/ {2}publicUrl.*\n/, ''),
      [urlError('is missing'), off],
    ],
    [
      'no client with a token',
      configOf(['unset: { auth: { ref: env:UNSET } }', 'short: { auth: { ref: env:SHORT } }']),
      [
        ['warn', DROPPED, { clientId: 'unset', variable: 'UNSET', minLength: 24 }],
        ['warn', DROPPED, { clientId: 'short', variable: 'SHORT', minLength: 24 }],
        off,
      ],
    ],
    [
      'a public URL in plain text',
      configOf([...GOOD, 'unset: { auth: { ref: env:UNSET } }']).replace('https:', 'http:'),
      [
        ['warn', DROPPED, { clientId: 'unset', variable: 'UNSET', minLength: 24 }],
        urlError('must be https unless its host is loopback'),
        off,
      ],
    ],
  ];
  let servers: Running[];
  beforeAll(async () => {
    servers = await Promise.all(rows.map(([, config]) => boot(config)));
  });

  // proves: auth.insecure-public-url, errors.off, config.public-url.required
  // proves: config.public-url.https, handling.public-url, handling.all-dropped
  // proves: handling.disabled-line, handling.disabled-line.cause
  it.each(rows.map(([name, , lines], n) => ({ name, lines, n })))(
    'logs the reason and answers 404: $name',
    async ({ lines, n }) => {
      const server = servers[n] as Running;
      expect(logged(server)).toEqual([...written(lines), LISTENING]);
      const { status, body } = await ask(server, token('good'));
      expect({ status, body }).toEqual({ status: 404, body: '{"error":"not found"}' });
    },
  );
});

describe('the block managementApi', () => {
  /** How the start resolves a block. */
  const read = (block: unknown, env: Record<string, string> = TOKENS) =>
    readManagement(homeAt('/nowhere', null), { managementApi: block, envFile: null }, env);
  const one = { one: { auth: { ref: 'env:GOOD' } } };

  // proves: config.file-only
  it('comes from the file alone', async () => {
    const row = SETTING_TABLE.find(({ key }) => key === 'managementApi');
    expect(row?.env).toEqual([]);
    const env = { ...TOKENS, SVC_MANAGEMENT_API: '{}', SVC_PUBLIC_URL: 'https://svc.example.com' };
    expect((await read({ clients: one }, env)).config).toBeNull();
  });

  // proves: auth.insecure-public-url, config.public-url.https, config.public-url.bare
  // proves: handling.public-url, handling.disabled-line.cause
  it.each<[unknown, string]>([
    [undefined, 'is missing'],
    ['', 'is missing'],
    ['nonsense', 'is not a URL such as https://svc.example.com'],
    [7, 'is not a URL such as https://svc.example.com'],
    ['ftp://svc.example.com', 'must start with https://'],
    ['http://svc.example.com', 'must be https unless its host is loopback'],
    ['http://10.0.0.7', 'must be https unless its host is loopback'],
    ['http://127.0.0.1.example.com', 'must be https unless its host is loopback'],
    ['https://svc.example.com?x=1', 'must not have a query or fragment'],
    ['https://svc.example.com/#x', 'must not have a query or fragment'],
    ['https://u:p@svc.example.com', 'must not contain a user or password'],
  ])(
    'is disabled with the public URL %j, after a log line with the reason',
    async (publicUrl, problem) => {
      const { config, lines } = await read({ publicUrl, clients: one, instanceId: 'home' });
      expect(config).toBeNull();
      expect(lines).toEqual([
        {
          level: 'error',
          message: WRONG,
          fields: { key: 'managementApi.publicUrl', problem },
        },
        { level: 'info', message: OFF, fields: {} },
      ]);
    },
  );

  // proves: config.public-url.canonical, config.public-url.https, config.public-url.slash
  it.each([
    ['https://svc.example.com', 'https://svc.example.com'],
    ['https://svc.example.com/', 'https://svc.example.com'],
    ['https://svc.example.com:8443/a/b//', 'https://svc.example.com:8443/a/b'],
    ['http://localhost:7420', 'http://localhost:7420'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['http://[::1]:7420/', 'http://[::1]:7420'],
  ])('is enabled with the public URL %s', async (given, publicUrl) => {
    const { config, lines } = await read({ publicUrl: given, clients: one });
    expect(config).toMatchObject({ publicUrl, instanceId: null });
    expect(lines).toEqual([
      { level: 'info', message: ON, fields: { clients: ['one'], instanceId: null } },
    ]);
  });

  // proves: auth.binding.not-checked, config.instance-id.absent, handling.enabled-line
  it('without an instance id accepts any well-formed token, and logs nothing about it', async () => {
    const clients = { there: { auth: { ref: 'env:ELSEWHERE' } } };
    const server = await boot(
      `managementApi: ${JSON.stringify({ publicUrl: 'https://svc.example.com', clients })}\n`,
    );
    expect(logged(server)).toEqual([
      { level: 30, msg: ON, clients: ['there'], instanceId: null },
      LISTENING,
    ]);
    expect((await ask(server, String(TOKENS['ELSEWHERE']))).status).toBe(200);
  });

  // proves: auth.secure
  it('counts only trusted proxies for TLS', async () => {
    const server = await boot(
      configOf(['good: { auth: { ref: env:GOOD } }'], '  trustedProxies: [none]\n'),
    );
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' };
    const { status, body } = await ask(server, token('good'), { headers });
    expect({ status, body }).toMatchObject({
      status: 403,
      body: expect.stringContaining('"code":"insecure_transport"'),
    });
    expect((await ask(server, token('good'))).status).toBe(200);
  });

  // proves: config.instance-id.binds
  it('assigns tokens to ids with underscores by the whole prefix', async () => {
    const { config, lines } = await read(
      { publicUrl: 'https://h.example.com', instanceId: 'a_b', clients: one },
      { GOOD: token('x', 'a_b') },
    );
    expect(lines).toHaveLength(1);
    expect(config?.clients[0]?.tokens[0]?.binding).toBe('here');
    const other = await read(
      { publicUrl: 'https://h.example.com', instanceId: 'a', clients: one },
      { GOOD: token('x', 'ab') },
    );
    expect(other.config?.clients[0]?.tokens[0]?.binding).toBe('elsewhere');
  });
});

describe('a running server', () => {
  const OLD = token('old');
  const NEW = token('new');
  const client = (auth: string): string =>
    `envFile: .env\n${configOf([`one: { auth: ${auth}, scope: { allow: ["*"] } }`])}`;

  async function hangUp(server: Running): Promise<Record<string, unknown>[]> {
    const before = server.lines.length;
    server.process.kill('SIGHUP');
    return until(async () => {
      const lines = server.lines.slice(before);
      const isDone = /reloaded/.test(String(lines.at(-1)?.['msg']));
      // The log line of an earlier request may arrive only now.
      const others = ['reloaded', 'request to the MCP endpoint refused'];
      return isDone && lines.filter(({ msg }) => !others.includes(String(msg)));
    });
  }

  // proves: config.credential.never-logged, handling.reload
  it('replaces a token without a gap, keeps the old configuration when the new one is broken, and lets calls end', () =>
    withHome(async (home) => {
      const secrets = (text: string) => {
        home.write('.env', text);
        chmodSync(join(home.home, '.env'), 0o600);
      };
      home.write('svc.config.yaml', client('{ ref: env:NOW }'));
      secrets(`NOW=${OLD}\n`);
      const prompt = '```bash\nuntil [ -e go ]; do sleep 0.05; done\n```\n';
      home.write(
        'projects/demo/project.yaml',
        `triggers:\n  slow:\n    trigger: { type: schedule, interval: 1h }\n    run: { prompt: ${JSON.stringify(prompt)} }\n    enabled: false\n`,
      );
      const server = await home.serve();
      const statuses = async () => [
        (await ask(server, OLD)).status,
        (await ask(server, NEW)).status,
      ];
      expect(await statuses()).toEqual([200, 401]);

      // A call that is in progress when the token of its client is removed.
      const wire = openWire(server.url);
      const params = { name: 'run_trigger', arguments: { name: 'slow', wait_seconds: 60 } };
      wire.send(requestOf({ token: OLD, body: rpc('tools/call', params) }));
      await until(async () => {
        const { body } = await server.get('/api/projects/demo/runs');
        return (body as { runs: { state: string }[] }).runs[0]?.state === 'running';
      });

      home.write('svc.config.yaml', client('{ ref: env:NOW, previousRef: env:BEFORE }'));
      secrets(`NOW=${NEW}\nBEFORE=${OLD}\n`);
      expect(await hangUp(server)).toMatchObject([
        { level: 40, msg: CODE, clientId: 'one' },
        { level: 30, msg: ON, clients: ['one'] },
      ]);
      expect(await statuses()).toEqual([200, 200]);

      for (const broken of ['managementApi: [\n', 'envFile: gone\n', 'log: { level: loud }\n']) {
        home.write('svc.config.yaml', broken);
        expect(await hangUp(server)).toMatchObject([
          { level: 50, msg: 'configuration not reloaded, keeping the current one' },
        ]);
        expect(await statuses()).toEqual([200, 200]);
      }

      home.write('svc.config.yaml', client('{ ref: env:NOW }'));
      secrets(`NOW=${NEW}\n`);
      await hangUp(server);
      expect(await statuses()).toEqual([401, 200]);

      // Without clients the endpoint is disabled from now on, but this call continues.
      home.write('svc.config.yaml', 'envFile: .env\n');
      expect(await hangUp(server)).toMatchObject([{ level: 30, msg: OFF }]);
      expect(await statuses()).toEqual([404, 404]);
      writeFileSync(join(home.home, 'projects/demo/go'), '');
      const { result } = messageIn((await wire.answer()).body) as {
        result: { structuredContent: object };
      };
      expect(result.structuredContent).toMatchObject({ ran: true, outcome: 'succeeded' });
      wire.end();

      home.write('svc.config.yaml', client('{ ref: env:NOW }'));
      await hangUp(server);
      const again = openWire(server.url);
      const listed = await callTool(again, NEW, 'list_projects');
      expect(listed.structuredContent).toMatchObject({ count: 1 });
      again.end();
      const all = JSON.stringify(server.lines);
      for (const secret of [OLD, NEW]) expect(all).not.toContain(secret);
    }));
});
