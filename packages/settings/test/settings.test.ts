import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from '@svc/core';
import { effectiveSettings, resolveSettings, secretsOfAddress } from '../src/index.ts';

const resolve = (file: string | null, env: Record<string, string> = {}, flags = {}) =>
  resolveSettings({ file, env, flags });

const settings = (...sources: Parameters<typeof resolve>) => {
  const resolved = resolve(...sources);
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.issues));
  return resolved.settings;
};

const COST = 'limits: { costPerDayUsd: 5 }\n';
const AT = 'baseUrl: http://127.0.0.1:1';
const TEXT = 'command: a, protocol: text';
const PRICED = 'prices: { inputPerMillionUsd: 1, outputPerMillionUsd: 2 }';
const FREE = 'prices: { inputPerMillionUsd: 0, outputPerMillionUsd: 0 }';

describe('settings of sandboxes', () => {
  it('are sizes, durations and absolute paths', () => {
    const file =
      'agents: { sandbox: { mode: required, memory: 512MiB, cpuTime: 1h, hide: [/srv/keys], bwrap: /opt/bwrap } }';
    expect(settings(file)).toMatchObject({
      agents: {
        sandbox: {
          ...{ mode: 'required', memoryBytes: 2 ** 29, cpuMs: 3_600_000 },
          ...{ hide: ['/srv/keys'], bwrap: '/opt/bwrap' },
        },
      },
    });
  });

  it.each([
    ['mode: on', 'must be auto, required or off'],
    ['memory: lots', 'must be a size such as 500MiB'],
    ['processes: 3', 'must be a whole number from 16 to 100000'],
    ['hide: [secrets]', 'must be a list of absolute paths.'],
    ['bwrap: bwrap', 'must be the absolute path of bwrap.'],
    ['modes: auto', 'agents.sandbox.modes'],
  ])('are refused: %s', (given, reason) => {
    const resolved = resolve(`agents: { sandbox: { ${given} } }`);
    expect(resolved.ok ? '' : JSON.stringify(resolved.issues)).toContain(reason);
  });
});

describe('settings', () => {
  it('have defaults', () => {
    expect(settings(null)).toEqual({
      retention: { runs: 1000, ageMs: 7_776_000_000 },
      server: {
        host: '127.0.0.1',
        port: 7420,
        publicHosts: [],
        drainTimeoutMs: 20_000,
        tls: null,
      },
      auth: { mode: 'unset' },
      keeperGates: { read: false, write: false, projects: false, hooks: false },
      maxSpawnDepth: 1,
      limits: {
        concurrentTurns: 4,
        concurrentTurnsPerProject: 2,
        minIntervalMs: 1000,
        turnTimeoutMs: 3_600_000,
        filesPerTurn: 10_000,
        bytesPerTurn: 1_073_741_824,
        firesPerDay: null,
        costPerDayUsd: null,
      },
      database: { url: null, setting: 'database.url' },
      projects: { dir: null, setting: 'projects.dir' },
      curator: { delayMs: 300_000 },
      runtime: expect.objectContaining({ default: 'native' }),
      notify: { sinks: {}, heartbeat: null },
      agents: {
        env: [],
        sandbox: {
          ...{ mode: 'auto', memoryBytes: 2 ** 31, processes: 512, cpuMs: null },
          ...{ network: ['*'], hide: [], readOnly: [], writable: [], bwrap: null },
        },
        user: null,
      },
      log: { level: 'info', format: 'auto' },
      telemetry: {
        traces: { url: null, headers: {}, ratio: 1 },
        ...{ serviceName: null, resource: {} },
      },
      managementApi: null,
      envFile: null,
    });
  });

  // proves: limits.cost-per-day.prices
  it.each([
    'runtime: { native: { model: playbook } }',
    `runtime: { native: { model: m, ${AT}, ${PRICED} } }`,
    `runtime: { claude: { ${AT}, ${FREE} } }`,
    `runtime: { external: { a: { command: a, protocol: acp, ${PRICED} } } }`,
    `runtime: { external: { a: { ${TEXT}, ${FREE} } } }`,
  ])('accept a daily cost limit with %s', (file) => {
    expect(settings(`${COST}${file}`).limits.costPerDayUsd).toBe(5);
  });

  it('come from flags, then the environment, then the file', () => {
    const file = 'server: { port: 1 }\nlog: { level: debug }\n';
    const port = (...sources: Parameters<typeof resolve>) => settings(...sources).server.port;
    expect(port(file)).toBe(1);
    expect(port(file, { PORT: '2' })).toBe(2);
    expect(port(file, { PORT: '2', SVC_PORT: '3' })).toBe(3);
    expect(port(file, { SVC_PORT: '3' }, { 'server.port': '4' })).toBe(4);
    expect(port(file, { SVC_PORT: '' })).toBe(1);
    expect(settings(file).log.level).toBe('debug');
  });

  it('accept every kind of value', () => {
    const file = `server: { publicHosts: [a.lan], drainTimeout: 5s, tls: { certFile: c, keyFile: /k } }
limits: { concurrentTurns: 8, minInterval: 5m, turnTimeout: 2h, filesPerTurn: 9, bytesPerTurn: 2MiB, firesPerDay: 40 }
agents: { env: [TZ], user: nobody }
auth: { mode: none }
curator: { delay: 24h }
hooksMcpEnabled: false
database: { url: null }
`;
    expect(settings(file)).toMatchObject({
      server: {
        publicHosts: ['a.lan'],
        drainTimeoutMs: 5000,
        tls: { certFile: 'c', keyFile: '/k' },
      },
      limits: {
        concurrentTurns: 8,
        minIntervalMs: 300_000,
        turnTimeoutMs: 7_200_000,
        filesPerTurn: 9,
        bytesPerTurn: 2_097_152,
        firesPerDay: 40,
      },
      curator: { delayMs: 86_400_000 },
      agents: { env: ['TZ'], user: 'nobody' },
      auth: { mode: 'none' },
    });
  });

  // proves: retention.settings, retention.runs, retention.age
  it.each([
    ['', { runs: 1000, ageMs: 90 * 86_400_000 }],
    ['retention: {}', { runs: 1000, ageMs: 90 * 86_400_000 }],
    ['retention: { runs: 5, age: 12h }', { runs: 5, ageMs: 43_200_000 }],
    ['retention: { age: null }', { runs: 1000, ageMs: null }],
    ['retention: { runs: null }', { runs: null, ageMs: 90 * 86_400_000 }],
    ['retention: null', { runs: null, ageMs: null }],
    ['retention:', { runs: null, ageMs: null }],
  ])('retention: %j becomes %j', (file, kept) => {
    expect(settings(file).retention).toEqual(kept);
  });

  // proves: settings.curator-delay, retention.settings
  it.each([
    ['server: { port: 99999 }', {}, 'server.port must be a whole number from 0 to 65535.'],
    ['', { SVC_PORT: 'x' }, 'SVC_PORT must be a whole number from 0 to 65535.'],
    ['maxSpawnDepth: 9', {}, 'maxSpawnDepth must be a whole number from 0 to 8.'],
    ['limits: { turnTimeout: 5 }', {}, 'limits.turnTimeout must be a duration'],
    ['curator: { delay: 25h }', {}, 'curator.delay must be a duration from 1s to 24h'],
    ['curator: { delay: 0s }', {}, 'curator.delay must be a duration from 1s to 24h'],
    ['curator: { delay: 300 }', {}, 'curator.delay must be a duration from 1s to 24h'],
    ['retention: { runs: 0 }', {}, 'retention.runs must be a whole number of 1 or more, or null'],
    ['retention: { runs: 1.5 }', {}, 'retention.runs must be a whole number of 1 or more, or null'],
    [
      'retention: { runs: many }',
      {},
      'retention.runs must be a whole number of 1 or more, or null',
    ],
    ['retention: { age: 90 }', {}, 'retention.age must be a duration such as 90d'],
    ['retention: { age: 0s }', {}, 'retention.age must be a duration such as 90d'],
    ['retention: 5', {}, 'retention must be a map of settings.'],
    ['curator: 5m', {}, 'curator must be a map of settings.'],
    ['limits: { filesPerTurn: 0 }', {}, 'limits.filesPerTurn must be a whole number from 1'],
    ['limits: { bytesPerTurn: 1GB }', {}, 'limits.bytesPerTurn must be a size such as 500MiB'],
    ['limits: { bytesPerTurn: 0 }', {}, 'limits.bytesPerTurn must be a size such as 500MiB'],
    ['limits: { bytesPerTurn: 1.5 }', {}, 'limits.bytesPerTurn must be a size such as 500MiB'],
    ['limits: { bytesPerTurn: [1] }', {}, 'limits.bytesPerTurn must be a size such as 500MiB'],
    ['server: { publicHosts: a.lan }', {}, 'server.publicHosts must be a list of strings.'],
    ['auth: { mode: open }', {}, 'auth.mode must be none'],
    ['log: { format: xml }', {}, 'log.format must be auto, json or pretty.'],
    ['', { SVC_SELF_MCP: 'yes' }, 'SVC_SELF_MCP must be true or false.'],
    ['hooksMcpEnabled: 7', {}, 'hooksMcpEnabled must be true or false.'],
    ['envFile: "a\\0b"', {}, 'envFile must be a non-empty string without control characters.'],
    ['server: { host: "a\\nb" }', {}, 'server.host must be a non-empty string without control'],
    ['', { SVC_HOST: 'a\u0085b' }, 'SVC_HOST must be a non-empty string without control'],
    ['envFile: [a]', {}, 'envFile must be a non-empty string without control'],
    ['managementApi: *nowhere', {}, 'has an alias (*) without a value'],
    [`limits: ${'['.repeat(5000)}${']'.repeat(5000)}`, {}, 'nests more than 100 levels deep'],
    ['#'.repeat(1024 * 1024 + 1), {}, 'must be at most 1 MiB.'],
    ['', { SVC_DATABASE_URL: 'postgres://x' }, 'SVC_DATABASE_URL must be a Postgre'],
    ['', { SVC_DATABASE_URL: '' }, 'SVC_DATABASE_URL must be a PostgreSQL'],
    ['', { SVC_PROJECTS_DIR: '' }, 'SVC_PROJECTS_DIR must be a non-empty string without control'],
    ['database: { ulr: x }', {}, 'database.ulr is not a known setting. Did you mean database.url'],
    ['databse: { url: x }', {}, 'databse is not a known setting. Did you mean database?'],
    ['project: { dir: x }', {}, 'project is not a known setting. Did you mean projects?'],
    ['server: { tsl: { certFile: a } }', {}, 'server.tsl is not a known setting. Did you mean'],
    ['server: { certFile: a }', {}, 'server.certFile is not a known setting. Did you mean server.'],
    ['tls: { certFile: a }', {}, 'tls is not a known setting. Did you mean server.tls?'],
    ['auht: { mode: token }', {}, 'auht is not a known setting. Did you mean auth?'],
    ['database: { url: 5 }', {}, 'database.url must be a PostgreSQL address'],
    ['database: { url: "" }', {}, 'database.url must be a PostgreSQL address'],
    [
      'database: postgres://x/y',
      {},
      'database must be { url: "postgres://USER:PASSWORD@HOST:5432/NAME" }.',
    ],
    ['projects: /mnt/projects', {}, 'projects must be { dir: FOLDER }.'],
    ['projects: { dir: 5 }', {}, 'projects.dir must be a non-empty string without control'],
    ['projects: { dir: "" }', {}, 'projects.dir must be a non-empty string without control'],
    ['limits: { costPerDayUsd: 0 }', {}, 'must be a number of US dollars above 0'],
    [`${COST}runtime: { native: { model: m, ${AT} } }`, {}, 'Set runtime.native.prices'],
    [`${COST}runtime: { claude: { ${AT} } }`, {}, 'Set runtime.claude.prices'],
    [`${COST}runtime: { external: { a: { command: a, protocol: acp } } }`, {}, 'external.a.prices'],
    [`${COST}runtime: { external: { a: { ${TEXT} } } }`, {}, 'reports no usage'],
    [`${COST}runtime: { external: { a: { ${TEXT}, ${PRICED} } } }`, {}, 'reports no usage'],
    ['', { SVC_RUNTIME: 'cloude' }, 'must be native or claude'],
    [
      'server: { tls: { certFile: x } }',
      {},
      'server.tls.keyFile is required because server.tls.certFile is set.',
    ],
    [
      'server: { tls: { keyFile: x } }',
      {},
      'server.tls.certFile is required because server.tls.keyFile is set.',
    ],
    [
      'server: { tls: { certFile: 1, keyFile: x } }',
      {},
      'server.tls.certFile must be a non-empty string without control',
    ],
    ['server: { tls: { cert: x, key: y } }', {}, 'server.tls takes certFile and keyFile'],
    ['server: { tls: on }', {}, 'server.tls must be a map of settings.'],
    ['auth: none', {}, 'auth must be a map of settings.'],
    ['agents: { user: [a] }', {}, 'agents.user must be the name or the number of a user'],
    ['agents: { user: -x }', {}, 'agents.user must be the name or the number of a user'],
    ['- a', {}, 'must be a map'],
    ['a: [', {}, ''],
  ])('refuse %j %j: %s', (file, env, message) => {
    const resolved = resolve(file, env);
    expect(resolved.ok).toBe(false);
    const problems = resolved.ok ? '' : sentencesOf(resolved.issues, 'svc.config.yaml');
    expect(problems).toContain(message);
  });

  it('accept the user of agents by name or number', () => {
    expect(settings('agents: { user: web-agents }').agents.user).toBe('web-agents');
    expect(settings('agents: { user: 65534 }').agents.user).toBe('65534');
  });

  it('enable the tools of keepers one by one, and warn about those that have no effect alone', () => {
    const env = { SVC_SELF_MCP: '1', SVC_SELF_MCP_WRITE: 'true' };
    expect(settings('hooksMcpEnabled: true', env)).toMatchObject({
      keeperGates: { read: true, write: true, projects: false, hooks: true },
    });
    expect(resolve('selfMcpProjectsEnabled: true\nhooksMcpEnabled: true')).toMatchObject({
      warnings: [
        { path: 'selfMcpProjectsEnabled', message: expect.stringContaining('selfMcpWriteEnabled') },
        { path: 'hooksMcpEnabled', message: expect.stringContaining('selfMcpWriteEnabled') },
      ],
    });
  });

  // proves: config.file-only
  it('pass the managementApi block on unchanged, from the file alone', () => {
    const file = `managementApi:
  instanceId: 7
  clients: { "1": { scope: &reads { allow: [list_*] } }, __proto__: { scope: *reads } }
  more: [yes, null]
envFile: " secrets.env "
`;
    const read = settings(file, { SVC_MANAGEMENT_API: 'x', SVC_ENV_FILE: 'y' });
    const clients = JSON.parse(
      '{ "1": { "scope": { "allow": ["list_*"] } }, "__proto__": { "scope": { "allow": ["list_*"] } } }',
    ) as unknown;
    expect(read.managementApi).toEqual({ instanceId: 7, clients, more: ['yes', null] });
    expect(read.envFile).toBe('secrets.env');
    expect(settings('managementApi:\nenvFile:\n')).toMatchObject({
      managementApi: null,
      envFile: null,
    });
    expect(settings('managementApi: wrong').managementApi).toBe('wrong');
  });

  it('warn about unknown settings, with their line', () => {
    const resolved = resolve('server:\n  prot: 1\nlogs: x\n');
    expect(resolved).toMatchObject({
      ok: true,
      warnings: [
        { path: 'server.prot', line: 2, column: 3 },
        { path: 'logs', line: 3, column: 1 },
      ],
    });
  });

  it.each([
    ['sever: { port: 1 }', 'is not a known setting. Did you mean server?'],
    ['port: 1', 'is not a known setting. Did you mean server.port?'],
    ['limits: { turnTimeuot: 1m }', 'is not a known setting. Did you mean limits.turnTimeout?'],
    ['weather: nice', 'is not a known setting.'],
    ['notify: { sink: {} }', 'is not a known setting. Did you mean sinks?'],
    [
      'notify: { sinks: { a: { command: x, colldown: 1s } } }',
      'is not a known setting. Did you mean cooldown?',
    ],
    ['runtime: { native: { modle: m } }', 'Did you mean runtime.native.model?'],
    ['runtime: { claude: { tools: [Bash] } }', 'is not a known setting.'],
    [
      'runtime: { external: { a: { command: b, protocol: acp, arg: [c] } } }',
      'is not a known setting. Did you mean args?',
    ],
    ['telemetry: { trace: {} }', 'is not a known setting. Did you mean telemetry.traces?'],
  ])('suggest the setting that %s may mean', (file, message) => {
    const warning = { line: 1, message: expect.stringContaining(message) };
    expect(resolve(file)).toMatchObject({ ok: true, warnings: [warning] });
  });

  it.each([
    ['auth:\n  sk-ant-secret:', 'auth'],
    ['auth: { mode: none, jwt: { sk-ant-secret } }', 'auth.jwt'],
    ['database: { "postgres://u:sk-ant-secret@db": }', 'database'],
    ['runtime: { native: { "apiKey sk-ant-secret": } }', 'runtime.native'],
    [
      'runtime: { native: { headers: { "authorization sk-ant-secret": x } } }',
      'runtime.native.headers',
    ],
    [
      'telemetry: { traces: { headers: { "a sk-ant-secret": { ref: env:A } } } }',
      'telemetry.traces.headers',
    ],
    ['notify: { sk-ant-secret: }', 'notify'],
    ['notify: { sinks: { sk-ANT-SECRET: { command: x } } }', 'notify.sinks'],
    ['notify: { sinks: { a: { command: x, sk-ant-secret: } } }', 'notify.sinks.a'],
    ['server: { "port sk-ant-secret": }', 'server'],
    ['"sk-ant-secret.port": 1', ''],
    ['server: { tls: { "certFile sk-ant-secret": } }', 'server.tls'],
    ['log: !sk-ant-secret a', ''],
    ['auth: { tokenRef: !sk-ant-secret }', ''],
    ['log: !<sk-ant-secret> a', ''],
    ['log: !a!sk-ant-secret a', ''],
    ['log: *sk-ant-secret', ''],
    ['log: &sk-ant-secret [*sk-ant-secret]', ''],
    ['sk-ant-secret: 1\nsk-ant-secret: 2', ''],
    ['log: | sk-ant-secret', ''],
    ['log: {}\n}sk-ant-secret', ''],
    ['log: "\\Usk-ant-secret"', ''],
  ])('do not repeat a key, tag or alias that may be a secret: %s', (file, path) => {
    const found = resolve(file);
    const said = found.ok ? found.warnings : found.issues;
    for (const issue of said) {
      expect(issue).toMatchObject({ path, line: expect.any(Number) });
      expect(issue.message).not.toMatch(/sk-ant/i);
    }
    expect(said).not.toEqual([]);
  });

  it.each([
    [
      'database: { "database.url": a }',
      'database',
      'Write database.url as a nested map: database: { url: … }.',
    ],
    [
      '"auth.jwt.issuer": a',
      '',
      'Write auth.jwt.issuer as a nested map: auth: { jwt: { issuer: … } }.',
    ],
    [
      'auth: { mode: none, "auth.mode": token }',
      'auth',
      'Write auth.mode as a nested map: auth: { mode: … }.',
    ],
    [
      'auth: { mode: none, "jwt.issuer": a }',
      'auth',
      'Write auth.jwt.issuer as a nested map: auth: { jwt: { issuer: … } }.',
    ],
  ])('with dots in a key must be nested maps: %s', (file, path, said) => {
    expect(resolve(file)).toMatchObject({
      ok: false,
      issues: [{ path, line: 1, message: `has a key with dots. ${said}` }],
    });
  });

  it('report the first of many unknown keys, and how many there are', () => {
    const keys = Array.from({ length: 20_000 }, (_, n) => `wrong-key-${n}-of-a-long-list: 1\n`);
    const resolved = resolve(keys.join(''));
    const message = 'has 19900 more keys not known as settings. Remove them.';
    expect(resolved).toEqual({ ok: false, issues: [{ path: '', message }] });
  });

  it('report an error after many unknown keys of a sink', () => {
    const keys = Array.from({ length: 200 }, (_, n) => `x${n}: 1`).join(', ');
    const file = `notify: { sinks: { a: { ${keys}, command: x }, b: { command: x, threshold: 0 } } }`;
    expect(resolve(file)).toMatchObject({ issues: [{ path: 'notify.sinks.b.threshold' }] });
  });

  it('show names of variables in upper case and of proxies, since others may be secrets', () => {
    const resolved = resolve('agents: { env: [MODEL_KEY, http_proxy, sk_ant_secret, "sk-ant"] }');
    const shown = resolved.ok ? effectiveSettings(resolved.sourced)['agents.env'] : null;
    expect(shown?.value).toEqual(['MODEL_KEY', 'http_proxy', '(hidden)', '(hidden)']);
  });

  it('keep the reason why a file is not YAML', () => {
    expect(resolve('log: "a')).toMatchObject({
      issues: [{ message: expect.stringContaining('Missing closing') }],
    });
  });

  // proves: settings.all-at-once
  it('report all mistakes at once, without their consequences', () => {
    const file = `maxSpawnDepth: 9
auth: { mode: jwt, jwt: { issuer: i, audience: 7 }, token_ref: env:A }
server: { tls: { certFile: c } }
database: { ulr: x }
retention: 5
limits: { costPerDayUsd: 5 }
notify: { sinks: { ops: { command: x, on: [] } }, extra: 1 }
runtime:
  default: mine
  native: { model: m, baseUrl: "http://127.0.0.1:1", prices: { inputPerMillionUsd: -1, outputPerMillionUsd: 1 } }
  external: { mine: { command: x } }
`;
    const resolved = resolve(file, { SVC_PORT: 'x' });
    const found = resolved.ok ? [] : resolved.issues.map(({ path, line }) => `${line} ${path}`);
    expect(found.sort()).toEqual([
      '1 maxSpawnDepth',
      '10 runtime.native.prices.inputPerMillionUsd',
      '11 runtime.external.mine.protocol',
      '2 auth.jwt.audience',
      '2 auth.token_ref',
      '4 database.ulr',
      '5 retention',
      '7 notify.sinks.ops.on',
      'undefined SVC_PORT',
      'undefined auth.jwt.jwksUrl',
      'undefined server.tls.keyFile',
    ]);
  });

  it('report the line of a refused setting', () => {
    expect(resolve('\n\nmaxSpawnDepth: -1\n')).toMatchObject({ issues: [{ line: 3, column: 1 }] });
  });
});

describe('database.url', () => {
  it.each([
    'postgres://db/svc',
    'postgresql://svc@db:5433/svc?sslmode=require',
    'postgres://svc:p%40ss%2F@db.lan/svc',
    'postgres://svc@%2Fvar%2Frun%2Fpostgresql/svc',
    'postgres:///svc?host=/var/run/postgresql',
  ])('accepts %s', (url) => {
    expect(settings(null, { SVC_DATABASE_URL: url }).database.url).toBe(url);
    expect(settings(`database: { url: " ${url} " }`).database.url).toBe(url);
  });

  // proves: settings.database-url
  it.each([
    'postgres://svc:hunter2@db',
    'postgres://svc:hunter2@db/',
    'postgres:///svc?password=hunter2',
    'mysql://svc:hunter2@db/svc',
    'svc:hunter2@db/svc',
    'postgres://svc:1/hunter2@db/svc',
    'postgres://svc:1#hunter2@db/svc',
    'postgres://svc:1?hunter2@db/svc',
    'postgres://svc:hunter2%zz@db/svc',
  ])('refuses %s without repeating it', (url) => {
    for (const resolved of [
      resolve(null, { SVC_DATABASE_URL: url }),
      resolve(`database: { url: "${url}" }`),
    ]) {
      const problems = resolved.ok ? '' : sentencesOf(resolved.issues, 'svc.config.yaml');
      expect(problems).toContain('must be a PostgreSQL address');
      expect(JSON.stringify(resolved)).not.toContain('hunter2');
    }
  });

  // proves: settings.database-url
  it.each([
    ['postgres://svc:hunter2@db:5432/svc', 'postgres://svc:***@db:5432/svc', ['hunter2']],
    ['postgres://svc:a%40b@db/svc', 'postgres://svc:***@db/svc', ['a@b', 'a%40b']],
    [
      'postgres://svc@db/svc?password=hunter2&sslmode=no-verify&sslpassword=k3y',
      'postgres://svc@db/svc?password=***&sslmode=no-verify&sslpassword=***',
      ['hunter2', 'k3y'],
    ],
    ['postgres://svc@db/svc', 'postgres://svc@db/svc', []],
  ])('%s is shown as %s', (url, shown, secrets) => {
    const resolved = resolve(null, { SVC_DATABASE_URL: url });
    const sourced = resolved.ok ? resolved.sourced : new Map();
    const effective = effectiveSettings(sourced);
    expect(effective['database.url']).toEqual({ value: shown, source: 'environment' });
    expect(secretsOfAddress(url)).toEqual(secrets);
  });
});

describe('notify', () => {
  it('defines sinks with their rules, and a heartbeat', () => {
    const file = `notify:
  sinks:
    ops: { url: "http://10.0.0.7:8080/x", secret: { ref: env:OPS }, on: [failed, digest], threshold: 3, cooldown: 1h }
    mail: { command: sendmail, args: [-t] }
  heartbeat: { url: "https://hc.example/u", every: 5m }
`;
    const byDefault = {
      on: ['failed', 'missed', 'paused', 'recovered', 'limited'],
      threshold: 1,
      cooldownMs: 0,
    };
    expect(settings(file).notify).toEqual({
      sinks: {
        ops: {
          ...{ kind: 'webhook', url: 'http://10.0.0.7:8080/x', variable: 'OPS' },
          ...{ on: ['failed', 'digest'], threshold: 3, cooldownMs: 3_600_000 },
        },
        mail: { kind: 'command', command: 'sendmail', args: ['-t'], ...byDefault },
      },
      heartbeat: { url: 'https://hc.example/u', everyMs: 300_000 },
    });
    const zero = settings('notify: { sinks: { a: { command: x, cooldown: 0s } } }').notify;
    expect(zero.sinks['a']).toMatchObject({ cooldownMs: 0 });
    expect(settings('notify:\n').notify).toEqual({ sinks: {}, heartbeat: null });
  });

  // proves: alerts.settings
  it.each([
    [
      'on: [failed, recoverd]',
      'on',
      'must be a list with at least one of failed, missed, paused, recovered, limited or digest. Did you mean recovered?',
    ],
    [
      'on: []',
      'on',
      'must be a list with at least one of failed, missed, paused, recovered, limited or digest.',
    ],
    ['url: "ftp://x"', 'url', 'must be an https or http URL without a user name or password.'],
    [
      'url: "https://a:b@x/"',
      'url',
      'must be an https or http URL without a user name or password.',
    ],
    ['secret: whsec_abc', 'secret', 'must be { ref: env:NAME }: a secret must not be in the file.'],
    ['threshold: 0', 'threshold', 'must be a whole number from 1 to 1000.'],
    [
      'cooldown: soon',
      'cooldown',
      'must be a duration such as 30s, 15m or 1h, at most 720h, or 0s.',
    ],
  ])('reports where %s is wrong, and what is valid', (line, field, message) => {
    const given = ['url: "https://x/"', 'secret: { ref: env:X }'].filter(
      (one) => one.split(':')[0] !== line.split(':')[0],
    );
    const fields = [...given, line].map((one) => `      ${one}\n`).join('');
    const resolved = resolve(`notify:\n  sinks:\n    ops:\n${fields}`);
    expect(resolved).toEqual({
      ok: false,
      issues: [
        { path: `notify.sinks.ops.${field}`, message, line: 3 + given.length + 1, column: 7 },
      ],
    });
  });

  it.each([
    ['{ sinks: [a] }', 'notify.sinks', 'must be a map of sinks by name.'],
    [
      '{ sinks: { Ops: { command: x } } }',
      'notify.sinks',
      'has a key that must be a name of lower-case letters, digits, - and _, starting with a letter, at most 64 characters.',
    ],
    [
      '{ sinks: { a: { on: [failed] } } }',
      'notify.sinks.a',
      'must have either url and secret, or command.',
    ],
    [
      '{ sinks: { a: { url: "https://x" } } }',
      'notify.sinks.a.secret',
      'is missing. Set it to a reference to the variable that contains it, for example { ref: env:NAME }.',
    ],
    [
      '{ sinks: { a: { command: x, args: y } } }',
      'notify.sinks.a.args',
      'must be a list of strings.',
    ],
    [
      '{ heartbeat: { every: 5m } }',
      'notify.heartbeat.url',
      'must be an https or http URL without a user name or password.',
    ],
    ['yes', 'notify', 'must be a map with sinks and heartbeat.'],
  ])('of %s is refused', (text, path, message) => {
    const resolved = resolve(`notify: ${text}\n`);
    expect(resolved.ok ? [] : resolved.issues).toMatchObject([{ path, message, line: 1 }]);
  });
});
