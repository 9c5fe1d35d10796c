import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type OpenHome, openHome, type Running, until, withHome } from './harness.ts';
import { type Issuer, startIssuer } from './jwt-issuer.ts';

jest.setTimeout(60_000);

const TOKEN = 'the-access-token-of-this-instance';
const ENV = { SVC_ACCESS: TOKEN };
const PROJECT = `triggers:
  it:
    trigger: { type: schedule, interval: 1h }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`\\n" }
    enabled: false
`;

type Headers = Readonly<Record<string, string>>;

/** One method of one address of the service. */
interface Place {
  readonly method: string;
  readonly path: string;
  /** A body that the route accepts and acts on, if it takes one. */
  readonly body: unknown;
  readonly changes: boolean;
}

interface Mode {
  readonly name: string;
  readonly config: (issuer: Issuer) => string;
  /** Headers of a user who may write, of one who may only read, and of one without a role; null if the mode has no such user. */
  readonly writer: (issuer: Issuer) => Headers;
  readonly reader: ((issuer: Issuer) => Headers) | null;
  readonly outsider: ((issuer: Issuer) => Headers) | null;
}

const ROLES = 'roles: { read: [viewer], write: [admin] }';
const said = (user: string, roles: string) => () => ({ 'X-User': user, 'X-Roles': roles });
const jwt = (roles: string[]) => (issuer: Issuer) => ({
  Authorization: `Bearer ${issuer.tokenFor('ada', roles)}`,
});

const MODES: Mode[] = [
  {
    name: 'token',
    config: () => 'mode: token, tokenRef: env:SVC_ACCESS',
    writer: () => ({ Authorization: `Bearer ${TOKEN}` }),
    reader: null,
    outsider: null,
  },
  {
    name: 'trusted-header',
    config: () =>
      `mode: trusted-header, header: X-User, rolesHeader: X-Roles, trustedProxies: [loopback], ${ROLES}`,
    writer: said('ada', 'admin'),
    reader: said('bob', 'viewer'),
    outsider: said('eve', 'none'),
  },
  {
    name: 'jwt',
    config: ({ jwksUrl }) =>
      `mode: jwt, jwt: { issuer: "https://id.example", audience: svc, jwksUrl: "${jwksUrl}" }, ${ROLES}`,
    writer: jwt(['admin']),
    reader: jwt(['viewer']),
    outsider: jwt(['none']),
  },
];

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

const secretOf = (home: OpenHome): string =>
  (JSON.parse(home.read('data/instance.json')) as { secret: string }).secret;

interface RouteFacts {
  readonly requestBody?: { content: { 'application/json': { example?: unknown } } };
  readonly responses: Record<string, { description?: string }>;
}

/** Every route of the OpenAPI document, and the two addresses outside of `/api` that require authentication. */
async function placesOf({ url }: Running, local: Headers, session: string): Promise<Place[]> {
  const answer = await fetch(`${url}/api/openapi.json`, { headers: local });
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, RouteFacts>> };
  const at: Record<string, string> = {
    slug: 'demo',
    name: 'it',
    sessionId: session,
    runId: session,
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, route]): Place => ({
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, (_, name) => at[name] ?? name),
        body: route.requestBody?.content['application/json'].example,
        changes: /forbidden_origin/.test(route.responses['403']?.description ?? ''),
      }),
    ),
  );
  const others = ['/', '/metrics'].map((path) => ({
    method: 'GET',
    path,
    body: undefined,
    changes: false,
  }));
  return [...routes, ...others];
}

/** The status of an admitted request. */
const DONE = /20[0-2]|304|400 invalid|404 not_found|409 conflict|502 \w+/;

const isSession = ({ path }: Place): boolean => path === '/api/session';

async function statusOf({ url }: Running, place: Place, headers: Headers): Promise<string> {
  const { method, path, body } = place;
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url + path, { method, headers: { ...headers, ...json }, ...text });
  const isStream = answer.headers.get('content-type') === 'text/event-stream';
  const content = isStream ? '' : await answer.text();
  await answer.body?.cancel().catch(() => {});
  // Log lines in the body may contain the refusals of other requests.
  const code = answer.ok ? undefined : /"code":"(\w+)"/.exec(content)?.[1];
  return code === undefined ? String(answer.status) : `${answer.status} ${code}`;
}

/** The content of the service, for comparison. */
async function stateOf(home: OpenHome, { url }: Running, local: Headers): Promise<unknown> {
  const paths = ['/api/projects', '/api/projects/demo/chats', '/api/projects/demo/runs'];
  const lists = paths.map(async (path) => (await fetch(url + path, { headers: local })).json());
  return [home.read('projects/demo/project.yaml'), ...(await Promise.all(lists))];
}

/** A service with a project and an ended chat. */
interface World {
  readonly home: OpenHome;
  readonly server: Running;
  /** The headers that commands on this machine send. */
  readonly local: Headers;
  readonly places: readonly Place[];
}

async function openWorld(auth: string): Promise<World> {
  const home = openHome();
  home.write('svc.config.yaml', `auth: { ${auth} }\n`);
  home.write('projects/demo/project.yaml', PROJECT);
  const server = await home.serve(ENV);
  const local = { Authorization: `Bearer ${secretOf(home)}` };
  const chats = `${server.url}/api/projects/demo/chats`;
  const made = await fetch(chats, {
    method: 'POST',
    headers: { ...local, 'Content-Type': 'application/json' },
    body: JSON.stringify({ prompt: 'Look.' }),
  });
  const { sessionId } = (await made.json()) as { sessionId: string };
  await until(async () => {
    const chat = await fetch(`${chats}/${sessionId}`, { headers: local });
    return ((await chat.json()) as { running: boolean }).running === false;
  });
  return { home, server, local, places: await placesOf(server, local, sessionId) };
}

/** Requests every route, and compares the status and the code of each answer with the expectation. */
async function expectEach(
  { server, places }: World,
  headers: Headers,
  expected: (place: Place) => RegExp,
): Promise<void> {
  for (const place of places) {
    const line = `${place.method} ${place.path} ${await statusOf(server, place, headers)}`;
    expect(line).toMatch(new RegExp(`^\\S+ \\S+ (?:${expected(place).source})$`));
  }
}

const isOpen = (place: Place): boolean => isSession(place) && place.method !== 'DELETE';

// proves: rest.browser-auth
it('with auth.mode none every request is allowed on every route', async () => {
  const world = await openWorld('mode: none');
  try {
    await expectEach(world, {}, () => DONE);
  } finally {
    await world.home.close();
  }
});

describe.each(MODES)('with auth.mode $name', (mode) => {
  let world: World;
  let home: OpenHome;
  let server: Running;
  let local: Headers;
  let places: readonly Place[];
  beforeAll(async () => {
    world = await openWorld(mode.config(issuer));
    ({ home, server, local, places } = world);
  });
  afterAll(() => home.close());

  it('has routes that change something and routes that do not', () => {
    expect(places.length).toBeGreaterThan(25);
    expect(places.filter(({ changes }) => changes).length).toBeGreaterThan(8);
  });

  // proves: rest.browser-auth
  it('refuses requests without credentials on every route', async () => {
    const before = await stateOf(home, server, local);
    await expectEach(world, {}, (place) => {
      if (!isOpen(place)) return /401 auth_required/;
      return place.method === 'GET' ? /200/ : /401 auth_required|409 conflict/;
    });
    expect(await stateOf(home, server, local)).toEqual(before);
  });

  it('refuses requests without credentials on unknown paths and on other spellings of known paths', async () => {
    const paths = ['/api', '/api/nothing', '/api//session', '/api/session/', '/api/Session'];
    const more = [
      '/api/%73ession',
      '/api/session%2f',
      '/api/session/..%2fprojects',
      '/API/projects',
    ];
    for (const path of [...paths, ...more, '/api/./projects', '//api/projects']) {
      const place = { method: 'GET', path, body: undefined, changes: false };
      expect([path, await statusOf(server, place, {})]).toEqual([
        path,
        expect.stringMatching(/^(401 auth_required|404 not_found)$/),
      ]);
    }
  });

  it('leaves probes and the authentication of the management endpoint alone', async () => {
    for (const [path, status] of [
      ['/livez', 200],
      ['/readyz', 200],
      ['/mcp', 404],
    ] as const) {
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, status]);
    }
  });

  // proves: people.kept
  it('forbids caching of answers and guessing of their content type', async () => {
    const paths = [
      '/',
      '/metrics',
      '/livez',
      '/readyz',
      '/nothing',
      '/api/projects',
      '/api/nothing',
    ];
    for (const headers of [{}, mode.writer(issuer)]) {
      for (const path of paths) {
        const answer = await fetch(server.url + path, { headers });
        const kept = ['cache-control', 'x-content-type-options'].map((each) =>
          answer.headers.get(each),
        );
        expect([path, ...kept]).toEqual([path, 'no-store', 'nosniff']);
      }
    }
  });

  const { reader, outsider } = mode;
  if (reader !== null) {
    it('shows readers everything, and lets them change nothing', async () => {
      const before = await stateOf(home, server, local);
      await expectEach(world, reader(issuer), (place) => {
        if (isSession(place)) return place.method === 'POST' ? /409 conflict/ : /200/;
        return place.changes ? /403 not_permitted/ : /200|304|400 invalid|404 not_found/;
      });
      expect(await stateOf(home, server, local)).toEqual(before);
    });
  }

  if (outsider !== null) {
    it('tells users without a role that they have none, and shows them nothing', async () => {
      await expectEach(world, outsider(issuer), (place) => {
        if (!isOpen(place)) return /403 not_permitted/;
        return place.method === 'GET' ? /200/ : /409 conflict/;
      });
    });
  }

  it('refuses requests from pages of other origins, with or without credentials, at the sign-in too', async () => {
    const headers = { ...mode.writer(issuer), Origin: 'https://evil.example' };
    const changing = places.filter((place) => place.changes);
    for (const place of changing) {
      expect(await statusOf(server, place, headers)).toBe('403 forbidden_origin');
    }
    expect(changing.some(isSession)).toBe(true);
  });

  it('works for the command line on this machine', async () => {
    const fired = await home.run('fire', 'demo', 'it', '--wait');
    expect([fired.code, fired.error]).toEqual([0, '']);
  });

  it('lets writers change everything', async () => {
    await expectEach(world, mode.writer(issuer), (place) =>
      isSession(place) && place.method === 'POST' ? /401 auth_required|409 conflict/ : DONE,
    );
  });

  it('logs no secret', () => {
    const log = JSON.stringify(server.lines) + server.stderr();
    expect(log).not.toContain(TOKEN);
    expect(log).not.toContain('eyJ');
  });
});

describe('signing in on the page', () => {
  const post = ({ url }: Running, token: unknown, headers: Headers = {}) =>
    fetch(`${url}/api/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ token }),
    });
  const withToken = (test: (server: Running, home: OpenHome) => Promise<void>) =>
    withHome(async (home) => {
      home.write('svc.config.yaml', 'auth: { mode: token, tokenRef: env:SVC_ACCESS }\n');
      home.write('projects/demo/project.yaml', PROJECT);
      await test(await home.serve(ENV), home as OpenHome);
    });
  const statusWith = async ({ url }: Running, headers: Headers) =>
    (await fetch(`${url}/api/projects`, { headers })).status;

  it('sets a cookie that admits requests until sign-out, also after a restart', () =>
    withToken(async (first, home) => {
      const answer = await post(first, TOKEN);
      const view = { mode: 'token', signedIn: true, user: null, role: 'write' };
      expect([answer.status, await answer.json()]).toEqual([200, view]);
      const [Cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
      expect(await statusWith(first, { Cookie })).toBe(200);
      await first.stop();

      const second = await home.serve(ENV);
      const seen = await fetch(`${second.url}/api/session`, { headers: { Cookie } });
      expect(await seen.json()).toEqual(view);
      const out = await fetch(`${second.url}/api/session`, {
        method: 'DELETE',
        headers: { Cookie },
      });
      expect(out.headers.get('set-cookie')).toMatch(
        /^svc_session_[0-9a-f]{12}=; Path=\/; Max-Age=0/,
      );
      expect(await out.json()).toEqual({ ...view, signedIn: false, role: null });
      expect(await statusWith(second, { Cookie })).toBe(401);
    }));

  // proves: people.session.beside
  it('does not affect the session of another instance on the same host', () =>
    withToken(async (first) =>
      withToken(async (second) => {
        const jar = new Map<string, string>();
        const signIn = async (server: Running) => {
          const { headers } = await post(server, TOKEN, { Cookie: held() });
          const [pair = ''] = (headers.get('set-cookie') ?? '').split(';');
          jar.set(pair.split('=')[0] ?? '', pair);
        };
        const held = () => ['svc_session=of-an-older-version', ...jar.values()].join('; ');
        await signIn(first);
        await signIn(second);
        expect(jar.size).toBe(2);
        expect(await statusWith(first, { Cookie: held() })).toBe(200);
        expect(await statusWith(second, { Cookie: held() })).toBe(200);
        const document = await fetch(`${first.url}/api/openapi.json`, {
          headers: { Cookie: held() },
        });
        expect(await document.json()).toMatchObject({
          components: { securitySchemes: { session: { name: [...jar.keys()][0] } } },
        });
      }),
    ));

  // proves: people.session.mode
  it('is not required when auth.mode is unset, as session and settings both show', () =>
    withHome(async (home) => {
      const { url } = await home.serve();
      const read = async <T>(path: string) => (await (await fetch(`${url}${path}`)).json()) as T;
      const { mode } = await read<{ mode: string }>('/api/session');
      const { settings } = await read<{ settings: Record<string, { value: unknown }> }>(
        '/api/settings',
      );
      expect([mode, settings['auth.mode']?.value]).toEqual(['unset', 'unset']);
    }));

  it('becomes invalid when the token changes', () =>
    withToken(async (first, home) => {
      const [Cookie = ''] = ((await post(first, TOKEN)).headers.get('set-cookie') ?? '').split(';');
      await first.stop();
      const second = await home.serve({ SVC_ACCESS: `${TOKEN}-2` });
      expect(await statusWith(second, { Cookie })).toBe(401);
    }));

  it('is throttled after wrong tokens, and each one is logged as a warning', () =>
    withToken(async (server) => {
      const [Cookie = ''] = ((await post(server, TOKEN)).headers.get('set-cookie') ?? '').split(
        ';',
      );
      const statuses: number[] = [];
      for (let n = 0; n < 11; n += 1) statuses.push((await post(server, `guess ${n}`)).status);
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
      const refused = await post(server, TOKEN);
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
        429,
        expect.any(Number),
      ]);
      expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
      expect(await statusWith(server, { Cookie })).toBe(200);
      const lines = server.lines.filter(({ msg }) => msg === 'sign-in rejected');
      expect(lines).toHaveLength(12);
      expect(lines[0]).toMatchObject({ mode: 'token', reason: 'wrong_token', peer: '127.0.0.1' });
      const metrics = await fetch(`${server.url}/metrics`, { headers: { Cookie } });
      expect(await metrics.text()).toContain('svc_sign_ins_refused_total{reason="wrong_token"} 12');
    }));

  it.each([
    ['nothing', {}, 'is required'],
    ['an empty token', { token: '' }, 'token'],
    ['a number', { token: 7 }, 'token'],
    ['more than that', { token: TOKEN, role: 'write' }, 'role'],
  ])('accepts a token and nothing else: %s', (_, body, message) =>
    withToken(async ({ url }) => {
      const answer = await fetch(`${url}/api/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      expect([answer.status, text]).toEqual([400, expect.stringContaining(message)]);
      expect(text).not.toContain(TOKEN);
    }),
  );

  it('requires the token at the start of the service', () =>
    withHome(async (home) => {
      home.write('svc.config.yaml', 'auth: { mode: token, tokenRef: env:SVC_ACCESS }\n');
      home.write('projects/demo/project.yaml', PROJECT);
      const started = await home.run('serve', '--port', '0');
      expect([started.code, started.error]).toEqual([
        1,
        'svc: auth.tokenRef names SVC_ACCESS, which is not set. Set it to the access token.\n',
      ]);
    }));
});
