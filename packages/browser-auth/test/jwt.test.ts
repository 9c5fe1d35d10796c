import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JwtOptions } from '@svc/browser-auth';
import { CLAIMS, ISSUER, type Issuer, NOW, publicPem, startIssuer } from './issuer.ts';
import { bearer, createBench, outcome, request } from './support.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.answerWith(null));
afterAll(() => issuer.close());

const bench = (more: Partial<JwtOptions> = {}) =>
  createBench({ mode: 'jwt', issuer: ISSUER, audience: 'svc', jwksUrl: issuer.url, ...more });
const asks = (token: string, more: Partial<JwtOptions> = {}) => outcome(bench(more), bearer(token));

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('a valid token', () => {
  it.each(['ES256', 'RS256', 'EdDSA'])('is signed with %s', async (alg) => {
    expect(await asks(issuer.sign({}, { alg, kid: alg }))).toBe('ada/write');
  });

  it('is for one of the audiences, and may have the user name in another claim', async () => {
    const token = issuer.sign({ aud: ['other', 'svc-b'], email: ' ada@id.example ' });
    const options = { audience: ['svc', 'svc-b'], userClaim: 'email' };
    expect(await asks(token, options)).toBe('ada@id.example/write');
  });

  it('is read from another header if there is no bearer token, and only then', async () => {
    const one = bench({ header: 'X-Assertion' });
    const token = issuer.sign();
    const basic = 'Basic eDp5';
    expect(await outcome(one, request({ 'x-assertion': token }))).toBe('ada/write');
    const both = { authorization: basic, 'x-assertion': token };
    expect(await outcome(one, request(both))).toBe('ada/write');
    const wrong = { authorization: 'Bearer x', 'x-assertion': token };
    expect(await outcome(one, request(wrong))).toBe(401);
    expect(await outcome(bench(), request({ 'x-assertion': token }))).toBe(401);
  });

  it('is valid until it expires, by the clock of the service', async () => {
    const one = bench();
    const token = issuer.sign({ exp: NOW + 10 });
    expect(await one.auth.admit(bearer(token))).toMatchObject({
      value: { name: 'ada', role: 'write', expiresAt: (NOW + 11) * 1000 },
    });
    await one.clock.advance(12_000);
    expect(await outcome(one, bearer(token))).toBe(401);
    expect(one.reasons).toEqual(['err_jwt_expired']);
  });
});

describe('a token is not valid', () => {
  const tampered = (): string => {
    const [head, , signature] = issuer.sign().split('.');
    const claims = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'root' })).toString('base64url');
    return `${head}.${claims}.${signature}`;
  };
  const byStranger = (header: object): string =>
    issuer.sign({}, { ...header }, stranger.privateKey);
  const hmac = (secret: Buffer | KeyObject, kid: string): string =>
    issuer.sign(
      {},
      { alg: 'HS256', kid },
      Buffer.isBuffer(secret) ? createSecretKey(secret) : secret,
    );
  it.each<[string, () => string]>([
    ['that has expired', () => issuer.sign({ exp: NOW - 2 })],
    ['that never expires', () => issuer.sign({ exp: undefined })],
    ['that is not valid yet', () => issuer.sign({ nbf: NOW + 60 })],
    ['of another issuer', () => issuer.sign({ iss: 'https://evil.example' })],
    ['without an issuer', () => issuer.sign({ iss: undefined })],
    ['for another audience', () => issuer.sign({ aud: 'svc-other' })],
    ['without an audience', () => issuer.sign({ aud: undefined })],
    ['without a name', () => issuer.sign({ sub: undefined })],
    ['with a number for a name', () => issuer.sign({ sub: 7 })],
    ['with a blank name', () => issuer.sign({ sub: '  ' })],
    ['with control characters in the name', () => issuer.sign({ sub: 'a\u0007\nb' })],
    ['with an endless name', () => issuer.sign({ sub: 'a'.repeat(300) })],
    ['that is not signed', () => issuer.sign({}, { alg: 'none' })],
    [
      'that is not signed, and says so loudly',
      () => issuer.sign({}, { alg: 'NONE', kid: 'ES256' }, stranger.privateKey),
    ],
    ['signed with the public key as a secret', () => hmac(publicPem(), 'RS256')],
    ['signed with an empty secret', () => hmac(Buffer.from('\0'), 'none')],
    ['that was changed', tampered],
    ['of a stranger, under a known key id', () => byStranger({})],
    [
      'of a stranger who brings the key along',
      () => byStranger({ jwk: stranger.publicKey.export({ format: 'jwk' }) }),
    ],
    ['under an unknown key id', () => byStranger({ kid: 'unknown' })],
    ['under a key id that is a path', () => byStranger({ kid: '../../../../dev/null' })],
    ['under a key id of a prototype', () => byStranger({ kid: '__proto__' })],
    ['of a key for another algorithm', () => issuer.sign({}, { alg: 'ES256', kid: 'RS256' })],
    ['that requires an unknown extension', () => issuer.sign({}, { crit: ['b64'], b64: false })],
    ['in three empty parts', () => '..'],
    ['in five parts', () => 'a.b.c.d.e'],
    ['that is no token at all', () => 'letmein'],
  ])('%s', async (_, make) => {
    const one = bench();
    expect(await outcome(one, bearer(make()))).toBe(401);
    expect(one.reasons).toEqual([expect.stringMatching(/^(err_|name_)[a-z_]+$/)]);
    const refusal = await one.auth.admit(bearer(make()));
    expect(refusal).toMatchObject({
      error: {
        code: 'auth_required',
        headers: { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_token"' },
      },
    });
  });

  it('with a key address of its own, which is never fetched', async () => {
    let visits = 0;
    const elsewhere = createServer((_request, response) => {
      visits += 1;
      response.end('{"keys":[]}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    expect(await asks(byStranger({ jku: url, x5u: url }))).toBe(401);
    elsewhere.close();
    expect(visits).toBe(0);
  });

  it('if there is none, which is not an invalid one', async () => {
    const one = bench({ header: 'X-Assertion' });
    for (const headers of [{}, { authorization: 'Bearer ' }, { 'x-assertion': ' ' }]) {
      expect(await outcome(one, request(headers as Record<string, string>))).toBe(401);
    }
    expect(one.reasons).toEqual([]);
  });
});

describe('a name in a claim', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace/write'],
    [
      '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627',
      '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627/write',
    ],
    ['ada\u202enimda', 401],
    ['\u2067ada\u2069', 401],
    ['ada\u200f', 401],
    ['ada\u2028', 401],
    ['ada\n', 401],
    ['ada\u0085', 401],
    ['ada\ud800', 401],
  ])('%j results in %j', async (sub, expected) => {
    expect(await asks(issuer.sign({ sub }))).toBe(expected);
  });
});

describe('roles in a claim', () => {
  const roles = { read: ['viewer', 'audit'], write: ['admin'] };
  it.each<[unknown, string | number]>([
    [['admin'], 'ada/write'],
    [['viewer'], 'ada/read'],
    [['viewer', 'admin'], 'ada/write'],
    ['viewer other', 'ada/read'],
    ['other,admin', 'ada/write'],
    [['other'], 403],
    [['Admin'], 403],
    [[['admin']], 403],
    [{ admin: true }, 403],
    [{ 0: 'admin', length: 1 }, 403],
    ['', 403],
    [null, 403],
    [undefined, 403],
  ])('%j results in %s', async (claim, expected) => {
    expect(await asks(issuer.sign({ roles: claim }), { roles })).toBe(expected);
    expect(await asks(issuer.sign({ groups: claim }), { roles, rolesClaim: 'groups' })).toBe(
      expected,
    );
  });

  it('of a prototype are ignored', async () => {
    const options = { roles: { read: [], write: ['a'] }, rolesClaim: '__proto__' };
    expect(await asks(issuer.sign(), options)).toBe(403);
  });
});

describe('unavailable keys', () => {
  it.each<[string, Parameters<Issuer['answerWith']>[0]]>([
    ['a failure', (response) => void response.writeHead(500).end()],
    ['a page', (response) => void response.end('<html>')],
    ['no key set', (response) => void response.end('{"keys":7}')],
    ['silence', () => {}],
    [
      'more than 1 MiB of keys',
      (response) => void response.end(`{"keys":[],"a":"${'x'.repeat(1_048_576)}"}`),
    ],
    [
      'keys without end',
      (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more).writeHead(200);
        more();
      },
    ],
    ['half an answer', (response) => void response.writeHead(200).write('{"keys":[')],
  ])('are 503, and fetched again a little later: %s', async (_, answer) => {
    const one = bench({ keysTimeoutMs: 100 });
    issuer.answerWith(answer);
    const token = issuer.sign();
    const before = issuer.asked;
    expect(await outcome(one, bearer(token))).toBe(503);
    expect(await outcome(one, bearer(token))).toBe(503);
    expect(issuer.asked).toBe(before + 1);
    issuer.answerWith(null);
    await one.clock.advance(5000);
    expect(await outcome(one, bearer(token))).toBe('ada/write');
  });

  it('are not fetched with each request meanwhile', async () => {
    const one = bench();
    issuer.answerWith((response) => void response.writeHead(500).end());
    const before = issuer.asked;
    for (let n = 0; n < 5; n += 1) expect(await outcome(one, bearer(issuer.sign()))).toBe(503);
    expect(issuer.asked).toBe(before + 1);
  });

  it('are not fetched from a redirect', async () => {
    let visits = 0;
    const elsewhere = createServer((_request, response) => {
      visits += 1;
      response.end(JSON.stringify({ keys: [{ ...issuer.publicKey }] }));
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    issuer.answerWith((response) => void response.writeHead(302, { location }).end());
    expect(await asks(issuer.sign())).toBe(503);
    elsewhere.close();
    expect(visits).toBe(0);
  });
});
