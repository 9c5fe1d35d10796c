import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import {
  createManagementGate,
  type ManagementRequest,
  metadataDocument,
  metadataHeaders,
  metadataPaths,
  parseManagementConfig,
} from '@svc/mgmt-auth';
import fc from 'fast-check';
import { CATALOGUE } from './catalogue.ts';

const A = 'tok_home_aaaaaaaaaaaaaaaaaaaa';
const B = 'tok_home_bbbbbbbbbbbbbbbbbbbb';
const OLD = 'tok_home_cccccccccccccccccccc';
const PLAIN = 'a-plain-token-without-prefix';
const AWAY = 'tok_away_aaaaaaaaaaaaaaaaaaaa';
const env = { A, B, OLD, PLAIN, AWAY };
const CLIENTS = {
  one: { auth: { ref: 'env:A', previousRef: 'env:OLD' } },
  two: { auth: { ref: 'env:B' }, scope: { allow: ['*'] } },
  plain: { auth: { ref: 'env:PLAIN' } },
  away: { auth: { ref: 'env:AWAY' } },
};
const configOf = (more = {}) =>
  parseManagementConfig(
    { instanceId: 'home', publicUrl: 'https://h', clients: CLIENTS, ...more },
    env,
    CATALOGUE,
  ).config;
const gateOf = (more = {}, clock = createFakeClock()) =>
  createManagementGate(configOf(more), { clock });
const request = (
  authorization?: string | readonly string[],
  more: Partial<ManagementRequest> = {},
): ManagementRequest => ({
  method: 'POST',
  remoteAddress: '127.0.0.1',
  encrypted: false,
  ...more,
  headers: { ...(authorization === undefined ? {} : { authorization }), ...more.headers },
});
type Verdict = ReturnType<ReturnType<typeof gateOf>>;
const outcome = (verdict: Verdict) => (verdict.ok ? verdict.principal.clientId : verdict.status);
const INVALID =
  ', error="invalid_token", error_description="The token is malformed or not a token of this instance"';

describe('a token', () => {
  // proves: auth.bearer
  it.each([
    [`Bearer ${A}`, 'one'],
    [`Bearer ${OLD}`, 'one'],
    [`bearer ${B}`, 'two'],
    [`BEARER   ${B} `, 'two'],
    [`Bearer ${PLAIN}`, 'plain'],
    [`Bearer ${AWAY}`, 401],
    [`Bearer ${A}x`, 401],
    [`Bearer ${A.slice(0, -1)}`, 401],
    [`Bearer ${A.toUpperCase()}`, 401],
    [`Bearer ${A}, Bearer ${B}`, 401],
    [`Bearer${A}`, 401],
    [`Basic ${A}`, 401],
    [A, 401],
    ['Bearer', 401],
    ['Bearer ', 401],
    ['', 401],
    [[`Bearer ${A}`], 401],
    [undefined, 401],
  ])('%j gives %s', (authorization, answer) => {
    expect(outcome(gateOf()(request(authorization)))).toBe(answer);
  });

  it('has the scope of its client', () => {
    expect(gateOf()(request(`Bearer ${B}`))).toMatchObject({
      principal: { clientId: 'two', scope: { allow: ['*'], projects: ['*'] } },
    });
  });

  // proves: config.instance-id.binds
  it.each([
    [undefined, AWAY, 'away'],
    ['away', AWAY, 'away'],
    ['away', A, 401],
    ['aw', AWAY, 401],
  ])('under instance id %j, %s gives %s', (instanceId, token, answer) => {
    expect(outcome(gateOf({ instanceId })(request(`Bearer ${token}`)))).toBe(answer);
  });

  // proves: auth.binding.refused
  it('may have an instance id with underscores', () => {
    const token = 'tok_my_home_aaaaaaaaaaaaaaaa';
    const block = { publicUrl: 'https://h', clients: { one: { auth: { ref: 'env:T' } } } };
    const answers = ['my_home', 'home', 'my_home_aaaaaaaaaaaaaaaa_'].map((instanceId) => {
      const { config } = parseManagementConfig({ ...block, instanceId }, { T: token }, CATALOGUE);
      const gate = createManagementGate(config, { clock: createFakeClock() });
      return outcome(gate(request(`Bearer ${token}`)));
    });
    expect(answers).toEqual(['one', 401, 401]);
  });

  it('gets the same response after clients are added', () => {
    const tokens = [A, B, OLD, PLAIN, AWAY, 'no-client-has-this-token-at-all'];
    const ids = fc.subarray(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[], { minLength: 1 });
    fc.assert(
      fc.property(ids, fc.constantFrom(...tokens), (some, token) => {
        const clients = Object.fromEntries(some.map((id) => [id, CLIENTS[id]]));
        const before = outcome(gateOf({ clients })(request(`Bearer ${token}`)));
        const after = outcome(gateOf()(request(`Bearer ${token}`)));
        const added = typeof after === 'string' && !some.some((id) => id === after);
        expect(before).toBe(added ? 401 : after);
      }),
    );
  });
});

describe('a refusal', () => {
  it.each(['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD'])(
    'of %s without a token is 401',
    (method) => {
      expect(outcome(gateOf()(request(undefined, { method })))).toBe(401);
    },
  );

  it('is 404 for every caller while the endpoint is disabled', () => {
    const gate = createManagementGate(null, { clock: createFakeClock() });
    expect(gate(request(`Bearer ${A}`, { remoteAddress: '8.8.8.8' }))).toEqual({
      ok: false,
      status: 404,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"not found"}',
    });
  });

  it('is 403 before the token is checked', () => {
    const answers = [`Bearer ${A}`, undefined].map((token) =>
      gateOf()(request(token, { remoteAddress: '8.8.8.8' })),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ ok: false, status: 403 });
      const body = answer.ok ? '' : answer.body;
      expect(JSON.parse(body)).toEqual({ error: expect.any(String), code: 'insecure_transport' });
    }
  });

  // proves: auth.challenge.metadata
  it.each([
    [undefined, [], 'Bearer realm="svc"'],
    ['Bearer x', [], `Bearer realm="svc"${INVALID}`],
    ['', [], `Bearer realm="svc"${INVALID}`],
    ['Basic x', [], `Bearer realm="svc"${INVALID}`],
    [['Bearer x'], [], `Bearer realm="svc"${INVALID}`],
    [
      undefined,
      ['https://idp'],
      'Bearer realm="svc", resource_metadata="https://h/.well-known/oauth-protected-resource/mcp"',
    ],
    [
      'Bearer x',
      ['https://idp'],
      `Bearer realm="svc"${INVALID}, resource_metadata="https://h/.well-known/oauth-protected-resource/mcp"`,
    ],
  ])('of %j with issuers %j is challenged by %s', (authorization, authorizationServers, wanted) => {
    const answer = gateOf({ authorizationServers })(request(authorization));
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': wanted } });
    expect(JSON.parse(answer.ok ? '' : answer.body)).toEqual({
      error: expect.any(String),
      code: 'auth_required',
    });
  });

  it('always has a well-formed challenge, for any request and address', () => {
    const wellFormed =
      /^Bearer [a-z_]+="[\x20\x21\x23-\x5b\x5d-\x7e]*"(, [a-z_]+="[\x20\x21\x23-\x5b\x5d-\x7e]*")*$/;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (path, given) => {
        const publicUrl = `https://h/${path}`;
        const config = configOf({ publicUrl, authorizationServers: ['https://idp'] });
        fc.pre(config !== null);
        const answer = createManagementGate(config, { clock: createFakeClock() })(request(given));
        expect(answer.ok ? '' : answer.headers['www-authenticate']).toMatch(wellFormed);
      }),
    );
  });
});

describe('transport security', () => {
  // proves: auth.secure, auth.published-port
  it.each([
    ['127.0.0.1', false, {}, 'one'],
    ['::1', false, {}, 'one'],
    ['::ffff:127.0.0.1', false, {}, 'one'],
    ['8.8.8.8', false, {}, 403],
    ['192.168.1.2', false, {}, 403],
    [undefined, false, {}, 403],
    ['8.8.8.8', true, {}, 'one'],
    ['10.0.0.1', false, { 'x-forwarded-proto': 'https' }, 'one'],
    ['10.0.0.1', false, { 'x-forwarded-proto': 'HTTPS, http' }, 'one'],
    ['10.0.0.1', false, { 'x-forwarded-proto': 'http, https' }, 403],
    ['10.0.0.1', false, { 'x-forwarded-proto': 'http' }, 403],
    ['8.8.8.8', false, { 'x-forwarded-proto': 'https' }, 403],
    ['100.64.0.1', false, { 'x-forwarded-proto': 'https' }, 'one'],
    ['127.0.0.1', false, { 'x-forwarded-for': '8.8.8.8' }, 403],
    ['127.0.0.1', false, { 'x-forwarded-for': '127.0.0.1, 8.8.8.8' }, 403],
    ['127.0.0.1', false, { 'x-forwarded-for': ['127.0.0.1', '8.8.8.8'] }, 403],
    ['127.0.0.1', false, { 'x-forwarded-for': '127.0.0.1:99, [::1]:80, ::1' }, 'one'],
    ['127.0.0.1', false, { 'x-forwarded-for': 'unknown' }, 403],
    ['127.0.0.1', false, { 'true-client-ip': '::1' }, 'one'],
    ['127.0.0.1', false, { 'x-real-ip': '8.8.8.8' }, 403],
    ['127.0.0.1', false, { 'x-client-ip': '8.8.8.8' }, 403],
    ['127.0.0.1', false, { 'cf-connecting-ip': '8.8.8.8' }, 403],
    ['127.0.0.1', false, { 'true-client-ip': '8.8.8.8' }, 403],
    ['127.0.0.1', false, { forwarded: 'for=127.0.0.1;proto=http, for="[::1]:80"' }, 'one'],
    ['127.0.0.1', false, { forwarded: 'For="[2001:db8::1]"' }, 403],
    ['127.0.0.1', false, { forwarded: 'by=x;for=8.8.8.8' }, 403],
    ['127.0.0.1', false, { forwarded: 'for="127.0.0.1, for=8.8.8.8' }, 403],
    ['127.0.0.1', false, { forwarded: 'for=_hidden' }, 403],
  ])('from %s, TLS %s, with %j gives %s', (remoteAddress, encrypted, headers, answer) => {
    const asked = request(`Bearer ${A}`, { remoteAddress, encrypted, headers });
    expect(outcome(gateOf()(asked))).toBe(answer);
  });

  it.each([
    [['8.8.8.8'], 'one'],
    [['none'], 403],
    [['all'], 'one'],
  ])('trusts the proxies %j: %s', (trustedProxies, answer) => {
    const headers = { 'x-forwarded-proto': 'https' };
    const asked = request(`Bearer ${A}`, { remoteAddress: '8.8.8.8', headers });
    expect(outcome(gateOf({ trustedProxies })(asked))).toBe(answer);
  });
});

describe('the limit on wrong credentials', () => {
  const limited = { failedAuthLimit: { attempts: 2, window: '1m' } };

  it('refuses after the last attempt until the window ends, but never a valid token', async () => {
    const clock = createFakeClock();
    const gate = gateOf(limited, clock);
    const ask = (token: string) => gate(request(token));
    expect(['Bearer x', 'Bearer y'].map((one) => outcome(ask(one)))).toEqual([401, 401]);
    await clock.advance(30_500);
    expect(ask('Bearer z')).toEqual({
      ok: false,
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '30' },
      body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Too many wrong credentials: try again later."},"id":null}',
    });
    expect(outcome(ask(`Bearer ${A}`))).toBe('one');
    await clock.advance(29_500);
    expect(outcome(ask('Bearer z'))).toBe(401);
  });

  it('does not count requests without credentials, nor valid ones', () => {
    const gate = gateOf(limited);
    for (let i = 0; i < 5; i += 1) {
      expect(outcome(gate(request()))).toBe(401);
      expect(outcome(gate(request(`Bearer ${A}`)))).toBe('one');
    }
    expect(outcome(gate(request('Bearer x')))).toBe(401);
  });

  it('keeps the last 10000 addresses, so that memory stays bounded', () => {
    const gate = gateOf({ failedAuthLimit: { attempts: 1, window: '1d' } });
    const ask = (n: number) => {
      const remoteAddress = `10.0.${n >> 8}.${n & 255}`;
      return outcome(gate(request('Bearer x', { remoteAddress, encrypted: true })));
    };
    for (let n = 0; n <= 10_000; n += 1) expect(ask(n)).toBe(401);
    expect([ask(10_000), ask(1), ask(0)]).toEqual([429, 429, 401]);
  });

  it('is off by default', () => {
    const gate = gateOf();
    const answers = Array.from({ length: 50 }, () => outcome(gate(request('Bearer x'))));
    expect(new Set(answers)).toEqual(new Set([401]));
  });

  it.each([
    ['the socket, by default', {}, '1.1.1.1', '2.2.2.2', 429],
    [
      'the forwarded address, with proxies named',
      { trustedProxies: ['10.0.0.0/8'] },
      '1.1.1.1',
      '2.2.2.2',
      401,
    ],
    [
      'the last foreign address',
      { trustedProxies: ['10.0.0.0/8'] },
      '1.1.1.1, 3.3.3.3, 10.0.0.2',
      '2.2.2.2, 3.3.3.3',
      429,
    ],
    ['the socket, with others named', { trustedProxies: ['192.0.2.1'] }, '1.1.1.1', '2.2.2.2', 429],
  ])('counts by %s', (_, more, first, second, answer) => {
    const gate = gateOf({ failedAuthLimit: { attempts: 1, window: '1s' }, ...more });
    const ask = (list: string) =>
      outcome(
        gate(
          request('Bearer x', {
            remoteAddress: '10.0.0.1',
            encrypted: true,
            headers: { 'x-forwarded-for': list },
          }),
        ),
      );
    expect([ask(first), ask(second)]).toEqual([401, answer]);
  });
});

describe('the metadata document', () => {
  const published = configOf({
    publicUrl: 'https://h/base/',
    authorizationServers: ['https://idp/'],
  });

  // proves: document.resource
  it('has the public address of the resource', () => {
    expect(metadataDocument(published)).toEqual({
      resource: 'https://h/base/mcp',
      authorization_servers: ['https://idp/'],
      scopes_supported: ['svc:read', 'svc:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'svc management API',
    });
    expect(metadataDocument(published, ['svc:read'])?.scopes_supported).toEqual(['svc:read']);
    expect(metadataHeaders).toEqual({
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
    });
  });

  // proves: document.both-forms
  it('has its paths, the path of the resource first', () => {
    const bare = configOf({ authorizationServers: ['https://idp'] });
    const root = '/.well-known/oauth-protected-resource';
    expect(metadataPaths(bare)).toEqual([`${root}/mcp`, root]);
    expect(metadataPaths(published)).toEqual([`${root}/base/mcp`, `${root}/mcp`, root]);
  });

  // proves: config.authorization-servers.empty
  it.each([null, configOf()])('is absent without issuers or configuration', (config) => {
    expect([metadataDocument(config), metadataPaths(config)]).toEqual([null, []]);
  });
});
