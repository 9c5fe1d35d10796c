import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenHome, openHome, type Running, until } from './harness.ts';
import {
  exchange,
  messageIn,
  openWire,
  type RequestParts,
  requestOf,
  rpc,
  type WireAnswer,
} from './wire.ts';

const TOKEN = 'tok_home_0123456789abcdef0123';
const ELSEWHERE = 'tok_other_0123456789abcdef012';
const ENV = { FULL: TOKEN, ELSEWHERE };
const CLIENTS = `  clients:
    full: { auth: { ref: env:FULL }, scope: { allow: ["*"] } }
    elsewhere: { auth: { ref: env:ELSEWHERE } }
`;
const FAR = '203.0.113.9';
const LIMIT = 1_048_576;
const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Servers: with all features, below a path, counting wrong tokens, without published metadata, and with the endpoint disabled. */
const HOMES = {
  main: `managementApi:
  instanceId: home
  publicUrl: https://svc.example.com/
  authorizationServers: [https://login.example.com]
${CLIENTS}`,
  based: `server: { publicHosts: [page.example.org] }
managementApi:
  publicUrl: https://h.example.com/base/
  authorizationServers: [https://login.example.com, https://second.example.com/tenant]
${CLIENTS}`,
  limited: `managementApi:
  publicUrl: https://svc.example.com
  failedAuthLimit: { attempts: 2, window: 1h }
${CLIENTS}`,
  plain: `auth: { mode: none }
managementApi:
  publicUrl: https://svc.example.com
${CLIENTS}`,
  off: 'log: { level: info }\n',
};
type Name = keyof typeof HOMES;

const homes: OpenHome[] = [];
const servers = {} as Record<Name, Running>;

beforeAll(async () => {
  await Promise.all(
    Object.entries(HOMES).map(async ([name, text]) => {
      const home = openHome();
      homes.push(home);
      home.write('svc.config.yaml', text);
      servers[name as Name] = await home.serve(ENV);
    }),
  );
});
afterAll(() => Promise.all(homes.map((home) => home.close())));

const ask = (name: Name, parts: RequestParts = {}) =>
  exchange(
    servers[name].url,
    requestOf({ token: TOKEN, body: rpc('ping'), ...parts }),
    parts.method === 'HEAD',
  );

/** A response head as Node writes it: the headers of the answer, then those of every answer. */
function headOf(status: string, headers: readonly string[], body: string | null): string {
  const length = body === null ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const common = ['Date: *', 'Connection: keep-alive', 'Keep-Alive: timeout=5'];
  return [`HTTP/1.1 ${status}`, ...headers, ...length, ...common].join('\r\n');
}

const NOT_FOUND = '{"error":"not found"}';
const INSECURE =
  '{"error":"Use https: a token must not cross a network in plain text.","code":"insecure_transport"}';
const UNAUTHORIZED =
  '{"error":"Send a token of a configured client: Authorization: Bearer <token>.","code":"auth_required"}';
const FOREIGN =
  '{"error":"A page of another origin may not call this endpoint.","code":"forbidden_origin"}';
const rpcError = (code: number, message: string, id: unknown = null) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id });
const METHOD = rpcError(-32000, 'Method not allowed: use POST');
const NOT_ACCEPTABLE = rpcError(
  -32000,
  'Not Acceptable: Client must accept both application/json and text/event-stream',
);
const MEDIA_TYPE = rpcError(
  -32000,
  'Unsupported Media Type: Content-Type must be application/json in UTF-8, without Content-Encoding',
);
const TOO_LARGE = rpcError(-32000, `Payload Too Large: the body must not be over ${LIMIT} bytes`);
const THROTTLED = rpcError(-32000, 'Too many wrong credentials: try again later.');

const JSON_TYPE = ['Content-Type: application/json'];
// The authentication layer writes its own headers in lower case.
const GATE_TYPE = ['content-type: application/json'];
const REALM = 'www-authenticate: Bearer realm="svc"';
const INVALID =
  ', error="invalid_token", error_description="The token is malformed or not a token of this instance"';
const POINTER = `, resource_metadata="https://svc.example.com${WELL_KNOWN}/mcp"`;
const challenge = (text: string) => [...GATE_TYPE, `${REALM}${text}`];

interface Row {
  readonly at?: Name;
  readonly parts?: RequestParts;
  readonly status: string;
  readonly headers: readonly string[];
  readonly body: string;
}

const stream = (message: object): Row => ({
  status: '200 OK',
  headers: [
    'Content-Type: text/event-stream',
    'Cache-Control: no-cache, no-transform',
    'X-Accel-Buffering: no',
  ],
  body: `event: message\ndata: ${JSON.stringify(message)}\n\n`,
});
const unauthorized = (authorization: string | null, at: Name = 'main'): Row => ({
  at,
  parts: { headers: { Authorization: authorization } },
  status: '401 Unauthorized',
  headers: challenge(`${authorization === null ? '' : INVALID}${at === 'plain' ? '' : POINTER}`),
  body: UNAUTHORIZED,
});
const insecure = (headers: Record<string, string>): Row => ({
  parts: { headers },
  status: '403 Forbidden',
  headers: GATE_TYPE,
  body: INSECURE,
});
const passes = (headers: Record<string, string>): Row => ({
  ...stream({ result: {}, jsonrpc: '2.0', id: 1 }),
  parts: { headers },
});
const foreign = (Origin: string): Row => ({
  parts: { headers: { Origin } },
  status: '403 Forbidden',
  headers: JSON_TYPE,
  body: FOREIGN,
});
const method = (name: string): Row => ({
  parts: { method: name, body: '' },
  status: '405 Method Not Allowed',
  headers: [...JSON_TYPE, 'Allow: POST'],
  body: METHOD,
});
const notAcceptable = (Accept: string | null): Row => ({
  parts: { headers: { Accept } },
  status: '406 Not Acceptable',
  headers: JSON_TYPE,
  body: NOT_ACCEPTABLE,
});
const mediaType = (headers: Record<string, string | null>): Row => ({
  parts: { headers },
  status: '415 Unsupported Media Type',
  headers: JSON_TYPE,
  body: MEDIA_TYPE,
});
const bad = (body: string | object, answer: string): Row => ({
  parts: { body },
  status: '400 Bad Request',
  headers: JSON_TYPE,
  body: answer,
});

const ROWS: Record<string, Row> = {
  'the endpoint is off': {
    at: 'off',
    status: '404 Not Found',
    headers: GATE_TYPE,
    body: NOT_FOUND,
  },
  'X-Forwarded-For names a remote client': insecure({ 'X-Forwarded-For': FAR }),
  'X-Forwarded-For names a remote client after a local one': insecure({
    'X-Forwarded-For': `127.0.0.1, ${FAR}`,
  }),
  'X-Forwarded-For names a remote client before a local one': insecure({
    'X-Forwarded-For': `${FAR}, 127.0.0.1`,
  }),
  'X-Forwarded-For names no address': insecure({ 'X-Forwarded-For': 'unknown' }),
  'Forwarded names a remote client': insecure({ Forwarded: `for=${FAR};proto=https` }),
  'Forwarded names a remote client by IPv6': insecure({
    Forwarded: 'for=127.0.0.1, for="[2001:db8::1]:4711"',
  }),
  'the first X-Forwarded-Proto is not https': insecure({
    'X-Forwarded-For': FAR,
    'X-Forwarded-Proto': 'http, https',
  }),
  'the first X-Forwarded-Proto is https': passes({
    'X-Forwarded-For': FAR,
    'X-Forwarded-Proto': 'HTTPS, http',
  }),
  'everybody on the way is loopback': passes({
    'X-Forwarded-For': '127.0.0.1, ::1',
    Forwarded: 'for="[::1]:80"',
  }),
  'no credential': unauthorized(null),
  'no credential, and no document': unauthorized(null, 'plain'),
  'another scheme': unauthorized('Basic dXNlcjpwYXNz'),
  'another scheme, and no document': unauthorized('Basic dXNlcjpwYXNz', 'plain'),
  'an empty credential': unauthorized(''),
  'a scheme without a token': unauthorized('Bearer'),
  'a scheme with blanks for a token': unauthorized('Bearer  '),
  'a wrong token': unauthorized('Bearer tok_home_ffffffffffffffffffff'),
  'a token with a letter more': unauthorized(`Bearer ${TOKEN}x`),
  'a token with a letter less': unauthorized(`Bearer ${TOKEN.slice(0, -1)}`),
  'a token in other letters': unauthorized(`Bearer ${TOKEN.toUpperCase()}`),
  'a token without its scheme': unauthorized(TOKEN),
  'a token of this file that is bound to another instance': unauthorized(`Bearer ${ELSEWHERE}`),
  'a credential that comes twice': unauthorized(`Bearer ${TOKEN}\r\nAuthorization: Bearer x`),
  'a token in the query': {
    ...unauthorized(null),
    parts: { path: `/mcp?access_token=${TOKEN}`, headers: { Authorization: null } },
  },
  'a scheme in small letters': passes({ Authorization: `bearer ${TOKEN}` }),
  'a scheme in capitals': passes({ Authorization: `BEARER  ${TOKEN} ` }),
  'a page of another origin': foreign('https://evil.example'),
  'a page without an origin': foreign('null'),
  'a page of the public address over http': foreign('http://svc.example.com'),
  'a page of the public address': passes({ Origin: 'https://svc.example.com' }),
  'a page of this machine': passes({ Origin: 'http://localhost:3000' }),
  'a page of another public host': foreign('https://page.example.org'),
  'a page of a public host': { ...passes({ Origin: 'https://page.example.org' }), at: 'based' },
  ...Object.fromEntries(
    ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE'].map((name) => [name, method(name)]),
  ),
  'no Accept': notAcceptable(null),
  'Accept without the stream': notAcceptable('application/json'),
  'Accept without JSON': notAcceptable('text/event-stream'),
  'Accept of anything': notAcceptable('*/*'),
  'Accept that rules one out': notAcceptable('application/json, text/event-stream;q=0'),
  'no Content-Type': mediaType({ 'Content-Type': null }),
  'a form': mediaType({ 'Content-Type': 'application/x-www-form-urlencoded' }),
  'JSON in Latin 1': mediaType({ 'Content-Type': 'application/json; charset=iso-8859-1' }),
  'a compressed body': mediaType({ 'Content-Encoding': 'gzip' }),
  'no body': bad('', rpcError(-32700, 'Parse error: the body is not JSON')),
  'half a body': bad('{', rpcError(-32700, 'Parse error: the body is not JSON')),
  'a batch': bad([rpc('ping')], rpcError(-32600, 'Invalid Request: batches are not supported')),
  'an id that can be read': bad(
    { ...rpc('ping', {}, 'seven'), jsonrpc: '1.0' },
    rpcError(-32600, 'Invalid Request: jsonrpc must be "2.0"', 'seven'),
  ),
  'a text': bad('"x"', rpcError(-32600, 'Invalid Request: the body must be a JSON-RPC message')),
  'a request': stream({ result: {}, jsonrpc: '2.0', id: 1 }),
  'a request in error': {
    ...stream({ jsonrpc: '2.0', id: 'x', error: { code: -32601, message: 'Method not found' } }),
    parts: { body: rpc('resources/list', {}, 'x') },
  },
  'a tool that is not there': {
    ...stream({
      result: { content: [{ type: 'text', text: 'Unknown tool: no_such_tool' }], isError: true },
      jsonrpc: '2.0',
      id: 1,
    }),
    parts: { body: rpc('tools/call', { name: 'no_such_tool', arguments: {} }) },
  },
  'a notification': {
    parts: { body: { jsonrpc: '2.0', method: 'notifications/initialized' } },
    status: '202 Accepted',
    headers: [],
    body: '',
  },
};

describe('the answer to a request, byte for byte', () => {
  // proves: endpoint.post, endpoint.other-methods, endpoint.request-headers, endpoint.request-body
  // proves: endpoint.answer, auth.bearer, auth.only-config-tokens, auth.binding.refused
  // proves: auth.challenge, auth.challenge.shape, auth.challenge.error, auth.challenge.metadata
  // proves: auth.secure, auth.insecure, errors.off, errors.insecure, errors.unauthorized
  // proves: errors.method, errors.not-acceptable, errors.everything-else, errors.unknown-tool
  // proves: config.instance-id.binds
  it.each(Object.entries(ROWS))('%s', async (_name, { at = 'main', parts, ...wanted }) => {
    const { head, body } = await ask(at, parts);
    expect({ head, body }).toEqual({
      head: headOf(wanted.status, wanted.headers, wanted.body),
      body: wanted.body,
    });
  });

  it('to HEAD has only the head of the refusal', async () => {
    const { head, body } = await ask('main', { method: 'HEAD', body: '' });
    const wanted = headOf('405 Method Not Allowed', [...JSON_TYPE, 'Allow: POST'], METHOD);
    expect({ head, body }).toEqual({ head: wanted, body: '' });
  });

  // proves: endpoint.other-methods.unauthenticated, auth.every-method
  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
    'to %s without a token is 401',
    async (name) => {
      const { head } = await ask('main', { method: name, token: null, body: '' });
      expect(head).toBe(headOf('401 Unauthorized', challenge(POINTER), UNAUTHORIZED));
    },
  );

  it('to a body over the limit closes the connection', async () => {
    const wire = openWire(servers.main.url);
    wire.send(requestOf({ token: TOKEN, headers: { 'Content-Length': String(LIMIT + 1) } }));
    expect(await wire.answer()).toEqual({
      status: 413,
      head: `HTTP/1.1 413 Payload Too Large\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${TOO_LARGE.length}\r\nDate: *`,
      body: TOO_LARGE,
    });
    wire.end();
  });

  it('to too many wrong tokens is 429, and a valid token still passes', async () => {
    const wrong = { headers: { Authorization: 'Bearer tok_wrong_wrong_wrong_wrong' } };
    // Requests without credentials are not counted.
    for (let n = 0; n < 3; n += 1) {
      expect((await ask('limited', { headers: { Authorization: null } })).status).toBe(401);
    }
    expect((await ask('limited', wrong)).status).toBe(401);
    expect((await ask('limited', wrong)).status).toBe(401);
    const { head, body } = await ask('limited', wrong);
    const seconds = /retry-after: (\d+)/.exec(head)?.[1];
    expect({ head, body }).toEqual({
      head: headOf('429 Too Many Requests', [...GATE_TYPE, `retry-after: ${seconds}`], THROTTLED),
      body: THROTTLED,
    });
    expect(Number(seconds)).toBeGreaterThan(3580);
    expect(Number(seconds)).toBeLessThanOrEqual(3600);
    // Throttling comes after the check of the transport and before all other checks.
    const far = { 'X-Forwarded-For': FAR };
    expect((await ask('limited', { headers: { ...wrong.headers, ...far } })).body).toBe(INSECURE);
    const late = { method: 'PUT', headers: { ...wrong.headers, Origin: 'null', Accept: '*/*' } };
    expect((await ask('limited', late)).status).toBe(429);
    expect((await ask('limited')).status).toBe(200);
  });

  // proves: endpoint.introduction, versions.server
  it('contains the name of the server and the version of the command', async () => {
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const { body } = await ask('main', { body: rpc('initialize', hello) });
    const { result } = messageIn(body) as { result: { serverInfo: object } };
    expect(result.serverInfo).toEqual({ name: 'svc', version });
    expect((await homes[0]?.run('--version'))?.out).toBe(`${version}\n`);
  });

  // proves: auth.own, auth.always
  it('does not depend on the authentication of pages', async () => {
    const page = { method: 'GET', path: '/api/projects', token: null, body: '' };
    // Page authentication would reject this Host, and would admit every user.
    expect((await ask('main', page)).status).toBe(403);
    expect((await ask('main')).status).toBe(200);
    expect((await ask('plain', { ...page, headers: { Host: '127.0.0.1' } })).status).toBe(200);
    expect((await ask('plain', { token: null })).status).toBe(401);
    expect((await ask('plain', { token: null, headers: { Cookie: 'svc=1' } })).status).toBe(401);
    expect((await ask('plain')).status).toBe(200);
  });

  // proves: endpoint.not-the-page
  it('is 404 to a browser while the endpoint is disabled, and no page', async () => {
    for (const path of ['/mcp', '/mcp/', WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
      const headers = { Accept: 'text/html', Host: 'localhost' };
      const { head, body } = await ask('off', { method: 'GET', path, headers, body: '' });
      expect(head).toMatch(/^HTTP\/1\.1 404 Not Found\r\ncontent-type: application\/json\r\n/i);
      expect(body).toBe(NOT_FOUND);
    }
  });

  // proves: endpoint.stateless
  it('does not depend on earlier requests', async () => {
    const list = async () => messageIn((await ask('main', { body: rpc('tools/list') })).body);
    const wire = openWire(servers.main.url);
    // A handshake or a session id changes nothing, on the same connection or on another one.
    const first = await list();
    for (const session of [null, 'made-up']) {
      const headers = { 'Mcp-Session-Id': session };
      wire.send(requestOf({ token: TOKEN, headers, body: rpc('tools/list') }));
      const { head, body } = await wire.answer();
      expect(messageIn(body)).toEqual(first);
      expect(head).not.toMatch(/mcp-session-id/i);
    }
    wire.send(requestOf({ token: null, body: rpc('tools/list') }));
    expect((await wire.answer()).status).toBe(401);
    wire.end();
  });
});

/** Possible faults of a request, in the order in which they are reported. */
const WRONGS: readonly [string, RequestParts][] = [
  ['insecure', { headers: { 'X-Forwarded-For': FAR } }],
  ['unauthorized', { headers: { Authorization: 'Bearer tok_home_not_of_anybody_xx' } }],
  ['foreign', { headers: { Origin: 'https://evil.example' } }],
  ['wrong method', { method: 'PUT' }],
  ['not acceptable', { headers: { Accept: 'application/json' } }],
  ['wrong type', { headers: { 'Content-Type': 'text/plain' } }],
  ['too large', { headers: { 'Content-Length': String(LIMIT + 1) } }],
  ['not JSON', { body: '{' }],
];
const FIRST_WORDS: readonly string[] = [
  'insecure_transport',
  'auth_required',
  'forbidden_origin',
  'Method not allowed',
  'Not Acceptable',
  'Unsupported Media Type',
  'Payload Too Large',
  'Parse error',
];
const together = (...wrongs: readonly RequestParts[]): RequestParts => {
  const all = Object.assign({}, ...wrongs) as RequestParts;
  return { ...all, headers: Object.assign({}, ...wrongs.map(({ headers }) => headers)) };
};
// After a body that is too large, the connection cannot be used again, whatever the answer.
const withoutConnection = ({ head, ...rest }: WireAnswer) => ({
  ...rest,
  head: head.replace(/\r\n(?:Connection|Keep-Alive): .*/g, ''),
});
const PAIRS = WRONGS.flatMap(([name, one], i) =>
  WRONGS.slice(i + 1).map(([other, two]) => ({ name, other, i, one, two })),
);

describe('the order of refusals', () => {
  // proves: auth.every-method, errors.order
  it.each(PAIRS)('$name comes before $other', async ({ i, one, two }) => {
    const alone = await ask('main', one);
    expect(alone.body).toContain(FIRST_WORDS[i]);
    const both = await ask('main', together(one, two));
    expect(withoutConnection(both)).toEqual(withoutConnection(alone));
  });

  // proves: errors.order
  it.each(WRONGS)('a disabled endpoint comes before %s', async (_name, wrong) => {
    expect((await ask('off', wrong)).body).toBe(NOT_FOUND);
  });

  // proves: errors.order
  it('a request with every fault gets the answer for the first one', async () => {
    for (let i = 0; i < WRONGS.length; i += 1) {
      const parts = together(...WRONGS.slice(i).map(([, wrong]) => wrong));
      expect((await ask('main', parts)).body).toContain(FIRST_WORDS[i]);
    }
  });

  // proves: auth.before-body
  it.each(WRONGS.slice(0, -1))('%s is reported without reading the body', async (_name, wrong) => {
    const headers = { 'Content-Length': '1000', ...wrong.headers };
    const { status } = await ask('main', { ...wrong, headers, body: '' });
    expect(status).toBeGreaterThanOrEqual(401);
  });

  // proves: auth.before-body
  it.each<[string, { headers?: Record<string, null> }, RegExp]>([
    ['401 if it has no token', { headers: { Authorization: null } }, /^HTTP\/1.1 401 /],
    ['the invitation if it is admitted', {}, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/],
  ])('a client that waits for 100 Continue gets %s', async (_name, { headers = {} }, wanted) => {
    const body = JSON.stringify(rpc('ping'));
    const wire = openWire(servers.main.url);
    let text = '';
    wire.socket.on('data', (bytes) => {
      text += String(bytes);
      if (text.endsWith('100 Continue\r\n\r\n')) wire.send(body);
    });
    const length = { 'Content-Length': String(body.length), Expect: '100-continue' };
    wire.send(requestOf({ token: TOKEN, headers: { ...length, Connection: 'close', ...headers } }));
    await until(async () => / (401|200) /.test(text));
    expect(text).toMatch(wanted);
    wire.end();
  });

  it('an unknown expectation bypasses no check', async () => {
    const headers = { Expect: 'wonders' };
    expect((await ask('main', { headers, token: null })).status).toBe(401);
    expect((await ask('off', { headers })).body).toBe(NOT_FOUND);
    expect((await ask('main', { headers })).status).toBe(200);
  });
});

describe('a server that is shutting down', () => {
  // proves: errors.unavailable
  it('answers 503 to admitted requests, before any check of headers', async () => {
    const home = openHome();
    homes.push(home);
    home.write('svc.config.yaml', HOMES.plain);
    const server = await home.serve(ENV);
    const whole = [
      requestOf({ token: TOKEN, headers: { Accept: '*/*' } }),
      requestOf({ token: TOKEN, body: rpc('ping') }),
      requestOf({ token: null }),
      requestOf({ token: TOKEN, method: 'GET' }),
    ];
    // Connections with half of a request stay open while the server shuts down.
    const wires = whole.map(() => openWire(server.url));
    for (const [n, text] of whole.entries()) wires[n]?.send(text.slice(0, 30));
    await server.get('/livez');
    const stopped = server.stop();
    // It logs this shortly before it stops accepting connections.
    const isOpen = () =>
      server.get('/livez').then(
        () => true,
        () => false,
      );
    await until(async () => !(await isOpen()));
    for (const [n, text] of whole.entries()) wires[n]?.send(text.slice(30));
    const answers = await Promise.all(wires.map((wire) => wire.answer()));
    const body =
      '{"error":"The operations are not available: the server is not wired up, or it is closing.","code":"ops_unavailable"}';
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 401, 405]);
    for (const answer of answers.slice(0, 2)) {
      expect(answer).toMatchObject({
        head: `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nDate: *`,
        body,
      });
    }
    // Clients that still send requests do not delay the end of the server.
    expect(await Promise.all(wires.map(({ closed }) => closed))).toEqual(['', '', '', '']);
    expect(await stopped).toBe(0);
  });
});

const ELSEWHERE_BODY = '{"error":"There is nothing at this address.","code":"not_found"}\n';
const EXPRESS_TYPE = [
  'Cache-Control: no-store',
  'X-Content-Type-Options: nosniff',
  'Content-Type: application/json; charset=utf-8',
];

describe('other spellings of the path', () => {
  const paths: [string, string, readonly string[]][] = [
    ...['/MCP', '//mcp', '/%6dcp', '/./mcp', '/x/../mcp', '/mcp%00', '/mcp;x', '/mcp%2f'].map(
      (path): [string, string, readonly string[]] => [path, ELSEWHERE_BODY, EXPRESS_TYPE],
    ),
    ...['/%', '/%E0%A4%A', '/base/mcp', '/mcp#x', '/.well-known', `/${'m'.repeat(9000)}`].map(
      (path): [string, string, readonly string[]] => [path, ELSEWHERE_BODY, EXPRESS_TYPE],
    ),
    ...['/mcp/', '/mcp/x', '/mcp/../mcp', '/mcp//', '/mcp/%2e', '/.well-known/..%2f'].map(
      (path): [string, string, readonly string[]] => [path, NOT_FOUND, JSON_TYPE],
    ),
    ...[
      '/.well-known/',
      '/.well-known/oauth-authorization-server',
      `${WELL_KNOWN}/`,
      `${WELL_KNOWN}/MCP`,
      `${WELL_KNOWN}/mcp/`,
      `${WELL_KNOWN}/base/mcp`,
    ].map((path): [string, string, readonly string[]] => [path, NOT_FOUND, JSON_TYPE]),
  ];
  const methods = ['POST', 'GET', 'OPTIONS', 'DELETE'];
  it.each(paths.map(([path, body, type]) => ({ shown: path.slice(0, 40), path, body, type })))(
    '$shown is not found, and is never a page',
    async ({ path, body, type }) => {
      for (const method of methods) {
        for (const token of [TOKEN, null]) {
          const text = method === 'POST' ? rpc('ping') : '';
          expect(await ask('main', { method, path, token, body: text })).toEqual({
            status: 404,
            head: headOf('404 Not Found', type, body),
            body,
          });
        }
      }
    },
  );

  it.each(['/mcp?x=1', '/mcp?', 'http://svc.invalid/mcp', 'https://svc.example.com/mcp?x=1'])(
    '%s is the endpoint, behind its authentication',
    async (path) => {
      expect((await ask('main', { path })).status).toBe(200);
      const { head } = await ask('main', { path, token: null });
      expect(head).toBe(headOf('401 Unauthorized', challenge(POINTER), UNAUTHORIZED));
      expect((await ask('main', { path, method: 'OPTIONS', body: '' })).body).toBe(METHOD);
      expect((await ask('off', { path })).body).toBe(NOT_FOUND);
    },
  );

  it('a request that is not HTTP is refused without a body', async () => {
    for (const path of ['/mc\0p', 'mcp', '/m cp', `/${'m'.repeat(20_000)}`]) {
      const { status, body } = await ask('main', { path });
      expect([400, 431]).toContain(status);
      expect(body).toBe('');
    }
  });

  // proves: config.public-url.canonical
  it('a mounted endpoint answers at its two paths only', async () => {
    for (const path of ['/mcp', '/base/mcp']) {
      expect((await ask('based', { path })).status).toBe(200);
      expect((await ask('based', { path, headers: { Authorization: null } })).status).toBe(401);
    }
    for (const path of ['/base/mcp/', '/base//mcp', '/BASE/mcp', '/base', '/base/base/mcp']) {
      expect((await ask('based', { path })).status).toBe(404);
    }
  });
});

const documentOf = (resource: string, ...servers: string[]): string =>
  JSON.stringify({
    resource,
    authorization_servers: servers,
    scopes_supported: ['svc:read', 'svc:write'],
    bearer_methods_supported: ['header'],
    resource_name: 'svc management API',
  });

describe('the metadata document', () => {
  const main = documentOf('https://svc.example.com/mcp', 'https://login.example.com');
  const based = documentOf(
    'https://h.example.com/base/mcp',
    'https://login.example.com',
    'https://second.example.com/tenant',
  );
  const headers = [
    ...GATE_TYPE,
    'access-control-allow-origin: *',
    'cache-control: public, max-age=300',
  ];

  // proves: endpoint.document.inserted, endpoint.document.root, document.public, document.cached
  // proves: document.resource, document.authorization-servers, document.scopes-supported
  // proves: document.bearer-methods, document.resource-name, document.both-forms, auth.own
  // proves: config.public-url.canonical, config.public-url.slash
  // proves: config.authorization-servers.advertised
  it.each<[Name, string, string]>([
    ['main', `${WELL_KNOWN}/mcp`, main],
    ['main', WELL_KNOWN, main],
    ['main', `${WELL_KNOWN}?x=1`, main],
    ['based', `${WELL_KNOWN}/base/mcp`, based],
    ['based', `${WELL_KNOWN}/mcp`, based],
    ['based', WELL_KNOWN, based],
  ])('of %s is at %s, without authentication', async (name, path, body) => {
    const requests: Record<string, string>[] = [
      {},
      { 'X-Forwarded-For': FAR, Host: 'evil.example' },
      { Origin: 'https://evil.example', Authorization: 'Bearer wrong', Accept: 'text/html' },
    ];
    for (const others of requests) {
      const request = { path, token: null, body: '', headers: others };
      expect(await ask(name, { ...request, method: 'GET' })).toEqual({
        status: 200,
        head: headOf('200 OK', headers, body),
        body,
      });
      expect(await ask(name, { ...request, method: 'HEAD' })).toEqual({
        status: 200,
        head: headOf('200 OK', headers, body),
        body: '',
      });
    }
  });

  it('can be read from pages of other origins, and cannot be written', async () => {
    const request = { path: WELL_KNOWN, token: null, body: '' };
    const preflight = await ask('main', { ...request, method: 'OPTIONS' });
    expect(preflight.head).toBe(
      headOf(
        '204 No Content',
        [
          'Access-Control-Allow-Origin: *',
          'Access-Control-Allow-Methods: GET, HEAD',
          'Access-Control-Allow-Headers: *',
          'Access-Control-Max-Age: 86400',
        ],
        null,
      ),
    );
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const body = '{"error":"method not allowed"}';
      const { head } = await ask('main', { ...request, method });
      expect(head).toBe(headOf('405 Method Not Allowed', [...JSON_TYPE, 'Allow: GET, HEAD'], body));
    }
  });

  // proves: endpoint.not-the-page, document.only-with-issuers, errors.documents
  // proves: config.authorization-servers.empty
  it.each<[Name]>([['plain'], ['off']])(
    'does not exist when there is nothing to publish: %s',
    async (name) => {
      for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
        for (const method of ['GET', 'HEAD', 'OPTIONS']) {
          const { head } = await ask(name, { path, method, token: null, body: '' });
          expect(head).toBe(headOf('404 Not Found', JSON_TYPE, NOT_FOUND));
        }
      }
    },
  );

  // proves: document.no-secret
  it('contains no token', async () => {
    const { body } = await ask('main', { path: WELL_KNOWN, method: 'GET', body: '' });
    for (const token of [TOKEN, ELSEWHERE]) expect(body).not.toContain(token);
  });
});

// proves: rest.browser-auth
it('page authentication applies to the trigger routes, and not to the endpoint', async () => {
  const routes = ['', '/runtime', '/it'].map((rest) => ['GET', rest]);
  routes.push(['PUT', '/it'], ['DELETE', '/it'], ['POST', '/it/run']);
  for (const [method = '', rest] of routes) {
    const code = async (name: Name): Promise<unknown> => {
      const path = `/api/projects/unknown/triggers${rest}`;
      const headers = { Host: '127.0.0.1', 'X-Forwarded-For': FAR };
      const { body } = await ask(name, { method, path, token: null, headers });
      return (JSON.parse(body) as { code: unknown }).code;
    };
    expect([method, rest, await code('off')]).toEqual([method, rest, 'auth_not_configured']);
    // With auth.mode none every client gets as far as the 404 for an unknown project.
    expect([method, rest, await code('plain')]).toEqual([method, rest, 'not_found']);
  }
});
