import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from '@svc/core';
import { resolveSettings } from '../src/index.ts';

const resolve = (auth: string, env: Record<string, string> = {}) =>
  resolveSettings({ file: `auth: { ${auth} }`, env, flags: {} });

const JWT = 'issuer: i, audience: a, jwksUrl: "https://keys.example/x"';

describe('auth settings', () => {
  it.each<[string, object]>([
    ['mode: none', { mode: 'none' }],
    ['mode: token, tokenRef: env:T', { mode: 'token', variable: 'T', trustedProxies: [] }],
    [
      'mode: trusted-header, header: X-User, trustedProxies: [loopback]',
      {
        mode: 'trusted-header',
        header: 'X-User',
        rolesHeader: null,
        roles: null,
        trustedProxies: ['loopback'],
      },
    ],
    [
      `mode: jwt, jwt: { ${JWT} }, roles: { read: [staff] }`,
      {
        mode: 'jwt',
        issuer: 'i',
        audience: ['a'],
        jwksUrl: 'https://keys.example/x',
        userClaim: 'sub',
        rolesClaim: 'roles',
        header: null,
        roles: { read: ['staff'], write: [] },
        trustedProxies: [],
      },
    ],
  ])('define one mode: %s', (auth, expected) => {
    expect(resolve(auth)).toMatchObject({ ok: true, settings: { auth: expected }, warnings: [] });
  });

  it.each([
    ['mode: token', 'auth.tokenRef is required for auth.mode token.'],
    [
      'mode: trusted-header, header: X',
      'auth.trustedProxies is required for auth.mode trusted-header.',
    ],
    [
      'mode: trusted-header, trustedProxies: [loopback]',
      'auth.header is required for auth.mode trusted-header.',
    ],
    [`mode: jwt, jwt: { issuer: i }`, 'auth.jwt.jwksUrl is required for auth.mode jwt.'],
    ['tokenRef: env:X', 'auth.mode is required because auth.tokenRef is set.'],
    ['roles: { read: [a] }', 'auth.mode is required because auth.roles.read is set.'],
    ['mode: token, tokenRef: secret', 'auth.tokenRef must be env:NAME'],
    [
      'mode: token, token: secret',
      'auth has a key that is not a known setting. A colon may be missing.',
    ],
    ['mode: none, roles: { reads: [a] }', 'auth.roles.reads is not a known setting.'],
    [`mode: jwt, jwt: { ${JWT}, algorithms: [none] }`, 'auth.jwt has a key that is not a known'],
    ['mode: trusted-header, header: "a b", trustedProxies: [all]', 'auth.header must be the name'],
    ['mode: trusted-header, header: a, trustedProxies: [10.0.0.0/99]', 'not 10.0.0.0/99'],
    [
      'mode: trusted-header, header: a, trustedProxies: [all], roles: { read: [x] }',
      'auth.rolesHeader is required for auth.roles.',
    ],
    ['jwt: { jwksUrl: "http://keys.example" }', 'auth.jwt.jwksUrl must be an https URL'],
    ['jwt: { jwksUrl: "https://a:b@keys.example" }', 'auth.jwt.jwksUrl must be an https URL'],
    ['jwt: { jwksUrl: "file:///etc/passwd" }', 'auth.jwt.jwksUrl must be an https URL'],
    ['jwt: { audience: [] }', 'auth.jwt.audience must be a string or a list of strings.'],
    ['jwt: on', 'auth.jwt must be a map of settings.'],
  ])('reject %s: %s', (auth, message) => {
    const resolved = resolve(auth);
    expect(resolved.ok).toBe(false);
    expect(resolved.ok ? '' : sentencesOf(resolved.issues, 'svc.config.yaml')).toContain(message);
  });

  it('accept keys from this machine over plain http', () => {
    const jwt = 'issuer: i, audience: [a, b], jwksUrl: "http://127.0.0.1:9/keys"';
    expect(resolve(`mode: jwt, jwt: { ${jwt} }`)).toMatchObject({
      settings: { auth: { audience: ['a', 'b'], jwksUrl: 'http://127.0.0.1:9/keys' } },
    });
  });

  it('of another mode cause a warning', () => {
    expect(resolve('mode: token, tokenRef: env:T, roles: { write: [a] }, header: X')).toMatchObject(
      {
        warnings: [
          { path: 'auth.header', message: 'has no effect with auth.mode token.' },
          { path: 'auth.roles.write', message: 'has no effect with auth.mode token.' },
        ],
      },
    );
  });

  it('can be chosen by the environment', () => {
    const env = { SVC_AUTH_MODE: 'token' };
    expect(resolve('tokenRef: env:T', env)).toMatchObject({
      settings: { auth: { mode: 'token' } },
    });
  });
});
