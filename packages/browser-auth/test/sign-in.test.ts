import { describe, expect, it } from '@jest/globals';
import {
  type AuthOptions,
  createMemorySessions,
  type GateRequest,
  type SessionStore,
  type StoredSession,
} from '@svc/browser-auth';
import { type Bench, bearer, createBench, outcome, request } from './support.ts';

const TOKEN = 'the-access-token-of-this-instance';
const DAY = 86_400_000;

const byToken = (more: Parameters<typeof createBench>[1] = {}) =>
  createBench({ mode: 'token', token: TOKEN }, more);
const withCookie = (cookie: string, more: Record<string, string> = {}) =>
  request({ cookie, ...more });

/** Signs in and returns the cookie that the browser would send from then on. */
async function signIn({ auth }: Bench, asking: GateRequest = request()): Promise<string> {
  const signed = await auth.signIn(asking, TOKEN);
  if (!signed.ok) throw new Error(signed.error.error);
  return signed.value.cookie?.split(';')[0] ?? '';
}

/** A store with visible sessions. */
function openSessions(): SessionStore & { readonly kept: StoredSession[] } {
  const kept: StoredSession[] = [];
  const store = createMemorySessions();
  return {
    ...store,
    kept,
    add(session, now) {
      kept.push(session);
      return store.add(session, now);
    },
  };
}

describe('the access token', () => {
  it.each<[Record<string, string>, string | number]>([
    [{ authorization: `Bearer ${TOKEN}` }, '/write'],
    [{ authorization: `bearer   ${TOKEN} ` }, '/write'],
    [{ authorization: `Bearer ${TOKEN}x` }, 401],
    [{ authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
    [{ authorization: `Bearer ${TOKEN.toUpperCase()}` }, 401],
    [{ authorization: TOKEN }, 401],
    [{ authorization: 'Bearer' }, 401],
    [{ 'x-token': TOKEN }, 401],
    [{ cookie: `svc_session=${TOKEN}` }, 401],
    [{}, 401],
  ])('is accepted only as a bearer: %j %s', async (headers, expected) => {
    expect(await outcome(byToken(), request(headers))).toBe(expected);
  });

  it('is requested in a sentence, with a challenge that shows whether one was invalid', async () => {
    const { auth } = byToken();
    expect(await auth.admit(request())).toMatchObject({
      error: { code: 'auth_required', headers: { 'WWW-Authenticate': 'Bearer realm="svc"' } },
    });
    expect(await auth.admit(bearer('x'))).toMatchObject({
      error: { headers: { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_token"' } },
    });
  });
});

describe('a session', () => {
  it('begins with the token, and is a cookie that scripts and other sites cannot read', async () => {
    const { auth } = byToken();
    const signed = await auth.signIn(request(), ` ${TOKEN}\n`);
    expect(signed).toEqual({
      ok: true,
      value: {
        view: { mode: 'token', signedIn: true, user: null, role: 'write' },
        cookie: expect.stringMatching(
          /^svc_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
        ),
      },
    });
  });

  it.each<[string, GateRequest, boolean]>([
    ['TLS', { ...request(), encrypted: true }, true],
    ['a proxy that says https', request({ 'x-forwarded-proto': 'https' }), true],
    ['a stranger who says https', request({ 'x-forwarded-proto': 'https' }, '203.0.113.9'), false],
    ['plain http', request(), false],
  ])('is only for https if it was created over https: %s', async (_, asking, secure) => {
    const httpsProxies = { has: (address?: string) => address === '127.0.0.1' };
    const { auth } = byToken({ httpsProxies });
    const signed = await auth.signIn(asking, TOKEN);
    expect(signed.ok && signed.value.cookie?.endsWith('; Secure')).toBe(secure);
  });

  it('is stored as digests, which grant no access', async () => {
    const sessions = openSessions();
    const bench = byToken({ sessions });
    const cookie = await signIn(bench);
    const text = JSON.stringify(sessions.kept);
    expect(text).not.toContain(cookie.split('=')[1]);
    expect(text).not.toContain(TOKEN);
    const [session] = sessions.kept as [StoredSession];
    expect(session.digest).toMatch(/^[0-9a-f]{64}$/);
    for (const stolen of [session.digest, session.tokenDigest]) {
      expect(await outcome(bench, withCookie(`svc_session=${stolen}`))).toBe(401);
      expect(await outcome(bench, withCookie(`svc_session=${stolen.slice(0, 43)}`))).toBe(401);
    }
  });

  it('ends at sign-out, for copies of the cookie too', async () => {
    const bench = byToken();
    const cookie = await signIn(bench);
    expect(await outcome(bench, withCookie(cookie))).toBe('/write');
    expect(await bench.auth.signOut(withCookie(cookie))).toEqual({
      ok: true,
      value: {
        view: { mode: 'token', signedIn: false, user: null, role: null },
        cookie: 'svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
      },
    });
    expect(await outcome(bench, withCookie(cookie))).toBe(401);
    expect(bench.reasons).toEqual([]);
  });

  it('ends after a week, used or not', async () => {
    const bench = byToken();
    const cookie = await signIn(bench);
    bench.clock.step(bench.clock.now() + 7 * DAY - 1);
    expect(await outcome(bench, withCookie(cookie))).toBe('/write');
    bench.clock.step(bench.clock.now() + 1);
    expect(await outcome(bench, withCookie(cookie))).toBe(401);
  });

  it('survives a restart, and ends when the token has changed', async () => {
    const sessions = createMemorySessions();
    const cookie = await signIn(byToken({ sessions }));
    expect(await outcome(byToken({ sessions }), withCookie(cookie))).toBe('/write');
    const changed = createBench({ mode: 'token', token: `${TOKEN}-2` }, { sessions });
    expect(await outcome(changed, withCookie(cookie))).toBe(401);
  });

  it('has a new id each time: an id from the client is never used', async () => {
    const bench = byToken();
    const brought = `svc_session=${'A'.repeat(43)}`;
    const first = await signIn(bench, withCookie(brought));
    const second = await signIn(bench, withCookie(first));
    expect(new Set([brought, first, second]).size).toBe(3);
    const outcomes = [brought, first, second].map((cookie) => outcome(bench, withCookie(cookie)));
    expect(await Promise.all(outcomes)).toEqual([401, 401, '/write']);
  });

  it('is found among other cookies, and others of its name', async () => {
    const bench = byToken();
    const cookie = await signIn(bench);
    const other = `svc_session=${'B'.repeat(43)}`;
    const long = `x=${'y'.repeat(12_000)}`;
    const garbage = 'svc_session=; =; ;;; svc_session; __proto__=1; svc_session="';
    for (const header of [
      `a=b; ${cookie}`,
      `${other}; ${cookie}`,
      `${cookie}; ${other}`,
      `${long}; ${cookie}`,
      `${garbage}; ${cookie}`,
    ]) {
      expect(await outcome(bench, withCookie(header))).toBe('/write');
    }
    for (const header of [other, garbage, long, `x${cookie}`, `${cookie}x`, cookie.toUpperCase()]) {
      expect(await outcome(bench, withCookie(header))).toBe(401);
    }
  });

  it('has a cookie of the configured name, and ignores others', async () => {
    const [one, other] = ['svc_session_a', 'svc_session_b'].map((cookieName) =>
      byToken({ cookieName }),
    ) as [Bench, Bench];
    const [first, second] = [await signIn(one), await signIn(other)];
    expect([first, second].map((cookie) => cookie.split('=')[0])).toEqual([
      one.auth.cookieName,
      other.auth.cookieName,
    ]);
    const old = `svc_session=${'A'.repeat(43)}`;
    const both = withCookie([old, first, second].join('; '));
    expect([await outcome(one, both), await outcome(other, both)]).toEqual(['/write', '/write']);
    expect(await outcome(one, withCookie(first.replace('svc_session_a', 'svc_session')))).toBe(401);
    expect(await one.auth.signOut(both)).toMatchObject({
      value: { cookie: expect.stringMatching(/^svc_session_a=; /) },
    });
    expect([await outcome(one, both), await outcome(other, both)]).toEqual([401, '/write']);
  });

  it('is found among as many cookies of its name as a header allows, with one query', async () => {
    const store = createMemorySessions();
    const looks: number[] = [];
    const find = async (digests: readonly string[]) => {
      looks.push(digests.length);
      return store.find(digests);
    };
    const bench = byToken({ sessions: { ...store, find } });
    const cookie = await signIn(bench);
    const others = Array.from(
      { length: 1000 },
      (_, n) => `svc_session=${String(n).padStart(43, 'a')}`,
    );
    const many = [...others.slice(0, 200), cookie].join('; ');
    expect(await outcome(bench, withCookie(many))).toBe('/write');
    expect(await outcome(bench, withCookie(others.join('; ')))).toBe(401);
    expect(looks).toEqual([201, 256]);
  });

  it('does not replace an invalid bearer token', async () => {
    const bench = byToken();
    const cookie = await signIn(bench);
    expect(await outcome(bench, withCookie(cookie, { authorization: 'Bearer x' }))).toBe(401);
  });
});

describe('wrong tokens', () => {
  const wrongTimes = async ({ auth }: Bench, times: number, asking = request()) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const signed = await auth.signIn(asking, `guess ${n}`);
      statuses.push(signed.ok ? 200 : signed.error.status);
    }
    return statuses;
  };

  it('are limited to ten a minute, then every attempt is refused for the rest of it', async () => {
    const bench = byToken();
    const live = await signIn(bench);
    expect(await wrongTimes(bench, 12)).toEqual([...Array(10).fill(401), 429, 429]);
    await bench.clock.advance(20_000);
    expect(await bench.auth.signIn(request(), TOKEN)).toMatchObject({
      error: { status: 429, code: 'too_many_requests', headers: { 'Retry-After': '40' } },
    });
    expect(await outcome(bench, withCookie(live))).toBe('/write');
    expect(await outcome(bench, bearer(TOKEN))).toBe('/write');
    expect(await outcome(bench, bearer('x'))).toBe(429);
    expect(await outcome(bench, request())).toBe(401);
    await bench.clock.advance(40_000);
    expect(await bench.auth.signIn(request(), TOKEN)).toMatchObject({ ok: true });
  });

  it('are counted when many are sent at once, and as bearers too', async () => {
    const bench = byToken();
    const asked = Array.from({ length: 30 }, (_, n) => outcome(bench, bearer(`guess ${n}`)));
    const statuses = await Promise.all(asked);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect((await wrongTimes(bench, 1))[0]).toBe(429);
  });

  it('are counted by address, as reported by a trusted proxy', async () => {
    const from = (forwarded: string, peer = '10.0.0.1') =>
      request({ 'x-forwarded-for': forwarded }, peer);
    const clientProxies = { has: (address?: string) => address === '10.0.0.1' };
    const bench = byToken({ clientProxies });
    await wrongTimes(bench, 10, from('6.6.6.6, 203.0.113.9'));
    expect(await wrongTimes(bench, 1, from('1.2.3.4, 203.0.113.9'))).toEqual([429]);
    expect(await wrongTimes(bench, 1, from('203.0.113.10'))).toEqual([401]);
    // Other peers cannot report an address.
    await wrongTimes(bench, 10, from('1.1.1.1', '198.51.100.7'));
    expect(await wrongTimes(bench, 1, from('2.2.2.2', '198.51.100.7'))).toEqual([429]);
  });

  // proves: people.sign-in.network
  it('are counted by IPv6 network, because one customer has many addresses', async () => {
    const bench = byToken();
    for (let n = 1; n <= 10; n += 1) await wrongTimes(bench, 1, request({}, `2001:db8::${n}`));
    expect(await wrongTimes(bench, 1, request({}, '2001:db8::ffff:1'))).toEqual([429]);
    expect(await wrongTimes(bench, 1, request({}, '2001:db8:0:1::1'))).toEqual([401]);
  });

  it('have a reason each in the log, without the token', async () => {
    const bench = byToken();
    await wrongTimes(bench, 1);
    await outcome(bench, bearer('guess'));
    await outcome(bench, request());
    expect(bench.reasons).toEqual(['wrong_token', 'wrong_token']);
  });
});

describe('a header of a proxy', () => {
  const trusted = { has: (address?: string) => address === '10.0.0.1' };
  const options = {
    mode: 'trusted-header',
    header: 'X-Forwarded-User',
    trustedProxies: trusted,
  } as const satisfies AuthOptions;
  const said = (name: string, more: Record<string, string> = {}, peer = '10.0.0.1') =>
    request({ 'x-forwarded-user': name, ...more }, peer);

  it.each<[string, GateRequest, string | number]>([
    ['the proxy', said('ada'), 'ada/write'],
    ['the proxy, in UTF-8', said(Buffer.from('Jörg').toString('latin1')), 'Jörg/write'],
    ['the proxy, in Latin-1', said('J\u00f6rg'), 'Jörg/write'],
    ['another peer', said('ada', {}, '10.0.0.2'), 401],
    [
      'another peer that names the proxy',
      said('ada', { 'x-forwarded-for': '10.0.0.1' }, '203.0.113.9'),
      401,
    ],
    ['an empty name', said('ada', {}, ''), 401],
    ['the proxy, without a name', said('  '), 401],
    ['the proxy, with an endless name', said('a'.repeat(300)), 401],
    ['the proxy, with a bell', said('a\u0085b'), 401],
    ['the proxy, with another header', request({ 'x-forwarded_user': 'ada' }, '10.0.0.1'), 401],
    ['the proxy, with nothing', request({}, '10.0.0.1'), 401],
  ])('is trusted from %s: %j %s', async (_, asking, expected) => {
    expect(await outcome(createBench(options), asking)).toBe(expected);
  });

  it('is not trusted if it is repeated', async () => {
    const twice: GateRequest = {
      ...said('mallory, ada'),
      rawHeaders: ['X-Forwarded-User', 'mallory', 'x-forwarded-user', 'ada'],
    };
    const bench = createBench(options);
    expect(await outcome(bench, twice)).toBe(401);
    expect(bench.reasons).toEqual(['header_repeated']);
    const lists = { ...options, rolesHeader: 'X-Roles', roles: { read: [], write: ['admin'] } };
    const roles: GateRequest = {
      ...said('ada', { 'x-roles': 'admin, x' }),
      rawHeaders: ['X-Forwarded-User', 'ada', 'X-Roles', 'admin', 'X-Roles', 'x'],
    };
    expect(await outcome(createBench(lists), roles)).toBe(401);
  });

  it.each<[string | null, string | number]>([
    ['viewer', 'ada/read'],
    [' other ,viewer', 'ada/read'],
    ['viewer,admin', 'ada/write'],
    ['viewer admin', 403],
    ['', 403],
    [null, 403],
  ])('of roles %j results in %s', async (roles, expected) => {
    const bench = createBench({
      ...options,
      rolesHeader: 'X-Roles',
      roles: { read: ['viewer'], write: ['admin'] },
    });
    const more: Record<string, string> = roles === null ? {} : { 'x-roles': roles };
    expect(await outcome(bench, said('ada', more))).toBe(expected);
  });

  it('does not help a page that uses the name of this machine', async () => {
    const loopback = { has: (address?: string) => address === '127.0.0.1' };
    const bench = createBench({ ...options, trustedProxies: loopback });
    const page = said('ada', { host: 'evil.example' }, '127.0.0.1');
    expect(await bench.auth.admit(page)).toMatchObject({ error: { code: 'forbidden_host' } });
  });
});

describe('in every mode', () => {
  const trustedProxies = { has: () => true };
  const jwt = { issuer: 'i', audience: 'a', jwksUrl: 'https://keys.invalid/' };
  const MODES: AuthOptions[] = [
    { mode: 'unset' },
    { mode: 'none' },
    { mode: 'token', token: TOKEN },
    { mode: 'trusted-header', header: 'x', trustedProxies },
    { mode: 'jwt', ...jwt },
  ];
  it.each(MODES)(
    'programs of this machine are admitted with their secret: $mode',
    async (options) => {
      const localSecret = 'only-on-this-machine';
      const bench = createBench(options, { localSecret });
      expect(await outcome(bench, bearer(localSecret))).toBe('/write');
      expect(bench.reasons).toEqual([]);
    },
  );

  it.each(MODES)('every caller can read the sign-in mode: $mode', async (options) => {
    const { auth } = createBench(options);
    const isOpen = options.mode === 'none' || options.mode === 'unset';
    const view = { signedIn: isOpen, user: null, role: isOpen ? 'write' : null };
    const { mode } = options;
    expect(await auth.look(request())).toEqual({ ok: true, value: { mode, ...view } });
  });

  it.each(MODES.filter(({ mode }) => mode !== 'token'))(
    'a token is no way in: $mode',
    async (options) => {
      const { auth } = createBench(options);
      expect(await auth.signIn(request(), '')).toMatchObject({ error: { status: 409 } });
      expect(await auth.signIn(request(), TOKEN)).toMatchObject({ error: { code: 'conflict' } });
    },
  );
});

it('reading the session cannot be used to guess the token', async () => {
  const bench = byToken();
  for (let n = 0; n < 10; n += 1) {
    expect(await bench.auth.look(bearer(`guess ${n}`))).toMatchObject({
      value: { signedIn: false },
    });
  }
  expect(await bench.auth.look(bearer('guess'))).toMatchObject({ error: { status: 429 } });
});
