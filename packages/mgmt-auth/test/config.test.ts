import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parseManagementConfig } from '@svc/mgmt-auth';
import { CATALOGUE } from './catalogue.ts';

const A = 'tok_home_aaaaaaaaaaaaaaaaaaaa';
const B = 'tok_home_bbbbbbbbbbbbbbbbbbbb';
const env = {
  A,
  B,
  SAME: ` ${A}\n`,
  SHORT: 'tok_home_123456789012345'.slice(0, 23),
  LEAST: 'tok_home_123456789012345',
  BLANK: '  ',
  PLAIN: 'a-plain-token-without-prefix',
  OTHER: 'tok_away_aaaaaaaaaaaaaaaaaaaa',
};
const client = (ref: unknown, more = {}) => ({ auth: { ref }, ...more });
const parse = (clients: unknown, more = {}) =>
  parseManagementConfig(
    { instanceId: 'home', publicUrl: 'https://h', clients, ...more },
    env,
    CATALOGUE,
  );
const idsOf = ({ config }: ReturnType<typeof parseManagementConfig>) =>
  config?.clients.map(({ clientId }) => clientId) ?? null;
const DISABLED = {
  level: 'info',
  message: '/mcp disabled (no managementApi.clients configured)',
  fields: {},
};

describe('the last line', () => {
  it('names the clients and the instance if the endpoint is enabled', () => {
    const { config, lines } = parse({ one: client('env:A'), two: client('env:B') });
    expect(config?.publicUrl).toBe('https://h');
    expect(lines).toEqual([
      {
        level: 'info',
        message: '/mcp enabled',
        fields: { clients: ['one', 'two'], instanceId: 'home' },
      },
    ]);
  });

  it.each([undefined, null, {}, { clients: {} }, { clients: null, publicUrl: 'nonsense' }])(
    'is the only one, and reports disabled, for %j',
    (raw) => {
      expect(parseManagementConfig(raw, env, CATALOGUE)).toEqual({
        config: null,
        lines: [DISABLED],
      });
    },
  );

  it.each([[], 'x', 7, { clients: [] }, { clients: 'x' }])('follows an error for %j', (raw) => {
    const { config, lines } = parseManagementConfig(raw, env, CATALOGUE);
    expect([config, lines.map(({ level }) => level)]).toEqual([null, ['error', 'info']]);
  });

  it('reports disabled if every client is dropped', () => {
    const { config, lines } = parse({ one: client('env:NONE') });
    expect([config, lines.at(-1)]).toEqual([null, DISABLED]);
  });
});

describe('the public URL', () => {
  it.each([
    ['https://h', 'https://h'],
    ['https://h/', 'https://h'],
    ['https://h/base/', 'https://h/base'],
    ['HTTPS://H:8443/base//', 'https://h:8443/base'],
    ['http://localhost:7420', 'http://localhost:7420'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['http://[::1]:80/', 'http://[::1]'],
    ['http://svc.localhost', 'http://svc.localhost'],
  ])('%j becomes %j', (publicUrl, wanted) => {
    expect(parse({ one: client('env:A') }, { publicUrl }).config?.publicUrl).toBe(wanted);
  });

  it.each([
    undefined,
    null,
    '',
    7,
    'h',
    '//h',
    'https:h',
    'http://h',
    'http://10.0.0.1',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'ftp://localhost',
    'https://h?',
    'https://h/?a=1',
    'https://h#',
    'https://u:p@h',
    'https://u@h',
    'https://h/\r\na',
    ' https://h',
  ])('%j disables the endpoint, with the error directly before', (publicUrl) => {
    const { config, lines } = parse(
      { one: client('env:NONE'), two: client('env:A') },
      { publicUrl },
    );
    expect(config).toBeNull();
    expect(lines.at(-2)).toMatchObject({
      level: 'error',
      fields: { key: 'managementApi.publicUrl' },
    });
    expect(lines.at(-1)).toEqual(DISABLED);
  });
});

describe('a client with an invalid configuration', () => {
  // proves: handling.malformed
  it.each([
    [{ auth: { ref: 'env:A', token: B } }, 'auth.token'],
    [{ auth: { ref: 'env:A', secret: B } }, 'auth.secret'],
    [{ auth: { ref: 'env:A' }, token: B }, 'token'],
    [{ auth: { ref: 'env:A' }, secret: B }, 'secret'],
    [{ auth: { ref: 'env:A', type: 'oauth' } }, 'auth.type'],
    [{ auth: { ref: 'env:A', type: null } }, 'auth.type'],
    [{ auth: {} }, 'auth.ref'],
    [{}, 'auth.ref'],
    [null, 'auth.ref'],
    [{ auth: 'env:A' }, 'auth.ref'],
    [client(B), 'auth.ref'],
    [client('A'), 'auth.ref'],
    [client('env:'), 'auth.ref'],
    [client('file:/A'), 'auth.ref'],
    [client(7), 'auth.ref'],
    [{ auth: { ref: 'env:A', previousRef: 'B' } }, 'auth.previousRef'],
    [{ auth: { ref: 'env:A', reference: 'x' } }, 'auth'],
    [client('env:A', { scope: { allows: ['*'] } }), 'scope.allows'],
    [client('env:A', { scope: null }), 'scope'],
  ])('%j is an error at %s and alone is skipped', (raw, key) => {
    const parsed = parse({ bad: raw, good: client('env:B') });
    expect(idsOf(parsed)).toEqual(['good']);
    expect(parsed.lines).toHaveLength(2);
    expect(parsed.lines[0]).toMatchObject({ level: 'error', fields: { clientId: 'bad', key } });
  });
});

describe('the token of a client', () => {
  it.each([
    ['env:NONE', ['good']],
    ['env:BLANK', ['good']],
    ['env:SHORT', ['good']],
    ['env:constructor', ['good']],
    ['env:__proto__', ['good']],
    ['env:LEAST', ['one', 'good']],
  ])('%s results in %j', (ref, ids) => {
    const parsed = parse({ one: client(ref), good: client('env:B') });
    expect(idsOf(parsed)).toEqual(ids);
    const levels = parsed.lines.map(({ level }) => level);
    expect(levels).toEqual(ids.length === 2 ? ['info'] : ['warn', 'info']);
  });

  it('belongs to the first of two clients', () => {
    const twice = parse({ one: client('env:A'), two: client('env:SAME') });
    expect(idsOf(twice)).toEqual(['one']);
    expect(twice.lines[0]).toMatchObject({ level: 'error', fields: { clientId: 'two' } });
    const previous = parse({
      one: { auth: { ref: 'env:A', previousRef: 'env:B' } },
      two: client('env:B'),
    });
    expect(idsOf(previous)).toEqual(['one']);
  });

  it('may be two during a replacement, and a missing second one is only a warning', () => {
    const refs = (previousRef: string) =>
      parse({ one: { auth: { type: 'token', ref: 'env:A', previousRef } } });
    const counts = ['env:B', 'env:SAME', 'env:NONE'].map((ref) => {
      const { config, lines } = refs(ref);
      return [config?.clients[0]?.tokens.length, lines.length];
    });
    expect(counts).toEqual([
      [2, 1],
      [1, 1],
      [1, 2],
    ]);
  });

  it.each([
    ['env:PLAIN', 'token of a management client is not bound to an instance'],
    ['env:OTHER', 'token of a management client is bound to another instance and will be refused'],
  ])('%s stays configured with one warning', (ref, message) => {
    const parsed = parse({ one: client(ref) });
    expect(idsOf(parsed)).toEqual(['one']);
    expect(parsed.lines.slice(0, -1)).toEqual([
      { level: 'warn', message, fields: { clientId: 'one' } },
    ]);
  });

  it('appears nowhere in the output', () => {
    const parsed = parse({
      one: { auth: { ref: 'env:A', previousRef: 'env:PLAIN' } },
      two: client('env:SAME'),
      three: { auth: { ref: `env:${B}`, token: undefined } },
      four: client(`env:${B}`),
      five: client(B, { token: B }),
    });
    const printed = inspect(parsed, { depth: null }) + JSON.stringify(parsed);
    for (const token of [A, B, env.PLAIN]) expect(printed).not.toContain(token);
  });
});

describe('a scope that runs code', () => {
  // proves: handling.code-warning
  it.each([
    [['*'], [], 7],
    [['send_message'], [], 1],
    [['fork_*'], ['fork_chat_batch'], 1],
    [['*'], ['*'], 0],
    [['list_*', 'archive_chat', 'remove_trigger'], [], 0],
    [['send?message'], [], 0],
  ])('allowing %j without %j is one warning of %i operations', (allow, deny, count) => {
    const { lines } = parse({ one: client('env:A', { scope: { allow, deny } }) });
    const warned = lines.filter(({ level }) => level === 'warn');
    expect(
      warned.map(({ fields }) => [fields['clientId'], (fields['operations'] as []).length]),
    ).toEqual(count === 0 ? [] : [['one', count]]);
  });
});

describe('the other settings', () => {
  it.each([
    ['instanceId', 42, true],
    ['instanceId', ' ', true],
    ['authorizationServers', 'https://idp', false],
    ['authorizationServers', ['http://idp'], false],
    ['authorizationServers', ['https://u:p@idp'], false],
    ['trustedProxies', ['10.0.0.0/33'], false],
    ['trustedProxies', ['localhost'], false],
    ['trustedProxies', 'loopback', false],
    ['failedAuthLimit', { attempts: 0, window: '1m' }, false],
    ['failedAuthLimit', { attempts: 1.5, window: '1m' }, false],
    ['failedAuthLimit', { attempts: 1, window: '15' }, false],
    ['failedAuthLimit', { attempts: 1 }, false],
    ['failedAuthLimit', 5, false],
  ])('%s: %j is an error that names the key; the endpoint is off: %s', (key, value, isOff) => {
    const { config, lines } = parse({ one: client('env:A') }, { [key]: value });
    expect(lines[0]).toMatchObject({ level: 'error', fields: { key: `managementApi.${key}` } });
    expect(config === null).toBe(isOff);
  });

  it.each([
    ['30s', 30_000],
    ['15m', 900_000],
    ['1.5 h', 5_400_000],
    ['1 day', 86_400_000],
    ['2w', 1_209_600_000],
  ])('a window of %j is %i ms', (window, windowMs) => {
    const { config } = parse(
      { one: client('env:A') },
      { failedAuthLimit: { attempts: 3, window } },
    );
    expect(config?.failedAuthLimit).toEqual({ attempts: 3, windowMs });
  });

  it.each([
    [5, 'must be { attempts, window }'],
    [
      { attempts: 0, window: 1500 },
      'attempts must be a whole number of 1 or more; window "1500" has no unit; use "1500m" for minutes, or another of s, m, h, d, w',
    ],
    [
      { attempts: 3, window: '250ms' },
      'window "250ms" is in milliseconds; use whole seconds, such as "1s"',
    ],
    [
      { attempts: 3, window: '1h30m' },
      'window "1h30m" has more than one part; use one number and one unit, such as "90m"',
    ],
  ])('a limit of %j has an error', (limit, problem) => {
    const { config, lines } = parse({ one: client('env:A') }, { failedAuthLimit: limit });
    expect(config?.failedAuthLimit).toBeNull();
    expect(lines[0]?.fields).toEqual({
      key: 'managementApi.failedAuthLimit',
      problem: `is ignored: ${problem}`,
    });
  });

  it.each([
    [
      undefined,
      [
        '127.0.0.1',
        '::1',
        '10.1.1.1',
        '172.31.0.1',
        'fe80::1%eth0',
        'fd00::1',
        '100.64.0.1',
        '::ffff:10.0.0.1',
      ],
      ['8.8.8.8', '172.32.0.1', undefined],
    ],
    [['none'], [], ['127.0.0.1', '10.0.0.1', undefined]],
    [[], [], ['127.0.0.1']],
    [['all'], ['8.8.8.8', '2001:db8::1', undefined], []],
    [
      ['192.0.2.7', '2001:db8::/32'],
      ['192.0.2.7', '2001:db8:1::1'],
      ['192.0.2.8', '127.0.0.1'],
    ],
    [['linklocal'], ['169.254.1.1'], ['127.0.0.1', 'nonsense']],
  ])('trusted proxies %j include %j and not %j', (trustedProxies, inside, outside) => {
    const { config } = parse({ one: client('env:A') }, { trustedProxies });
    const holds = (address: string | undefined) => config?.trustedProxies.has(address);
    expect([inside.map(holds), outside.map(holds)]).toEqual([
      inside.map(() => true),
      outside.map(() => false),
    ]);
  });
});
