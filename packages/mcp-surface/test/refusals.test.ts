import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configOf, post, rpc, type Served, serve, TOKENS } from './fixture.ts';
import { ask } from './wire.ts';

const LIST = rpc('tools/list');
const NOT_ACCEPTABLE =
  '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Not Acceptable: Client must accept both application/json and text/event-stream"},"id":null}';

function headOf(status: string, headers: readonly string[], body: string): string {
  const tail = [`Content-Length: ${body.length}`, 'Date: *', 'Connection: keep-alive'];
  return [`HTTP/1.1 ${status}`, ...headers, ...tail, 'Keep-Alive: timeout=5'].join('\r\n');
}

describe('refusals, byte for byte', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({
      config: configOf({ authorizationServers: ['https://login.example.com'] }),
    });
  });
  afterAll(() => served.close());

  it.each([
    [
      'a request without credentials',
      post(LIST, { token: null }),
      '401 Unauthorized',
      [
        'content-type: application/json',
        'www-authenticate: Bearer realm="svc", resource_metadata="https://svc.example.com/.well-known/oauth-protected-resource/mcp"',
      ],
      '{"error":"Send a token of a configured client: Authorization: Bearer <token>.","code":"auth_required"}',
    ],
    [
      'a plain-text request from afar',
      post(LIST, { headers: { 'X-Forwarded-For': '203.0.113.9' } }),
      '403 Forbidden',
      ['content-type: application/json'],
      '{"error":"Use https: a token must not cross a network in plain text.","code":"insecure_transport"}',
    ],
    [
      'a page of another origin',
      post(LIST, { headers: { Origin: 'https://evil.example' } }),
      '403 Forbidden',
      ['Content-Type: application/json'],
      '{"error":"A page of another origin may not call this endpoint.","code":"forbidden_origin"}',
    ],
    [
      'another method',
      post('', { method: 'GET' }),
      '405 Method Not Allowed',
      ['Content-Type: application/json', 'Allow: POST'],
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed: use POST"},"id":null}',
    ],
    [
      'a client that cannot read an event stream',
      post(LIST, { headers: { Accept: 'application/json' } }),
      '406 Not Acceptable',
      ['Content-Type: application/json'],
      NOT_ACCEPTABLE,
    ],
    [
      'a body that is not said to be JSON',
      post(LIST, { headers: { 'Content-Type': 'text/plain' } }),
      '415 Unsupported Media Type',
      ['Content-Type: application/json'],
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Unsupported Media Type: Content-Type must be application/json in UTF-8, without Content-Encoding"},"id":null}',
    ],
    [
      'a body that is not JSON',
      post('{'),
      '400 Bad Request',
      ['Content-Type: application/json'],
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: the body is not JSON"},"id":null}',
    ],
    [
      'a batch',
      post([LIST]),
      '400 Bad Request',
      ['Content-Type: application/json'],
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request: batches are not supported"},"id":null}',
    ],
    [
      'a revision that is not served',
      post(rpc('ping', {}, 'seven'), { headers: { 'MCP-Protocol-Version': '1999-01-01' } }),
      '400 Bad Request',
      ['Content-Type: application/json'],
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Unsupported protocol version (supported versions: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)"},"id":"seven"}',
    ],
    [
      'a path below the endpoint',
      post(LIST, { path: '/mcp/more' }),
      '404 Not Found',
      ['Content-Type: application/json'],
      '{"error":"not found"}',
    ],
  ])('%s', async (_name, request, status, headers, body) => {
    expect(await ask(served.port, request)).toEqual({
      status: Number(status.slice(0, 3)),
      head: headOf(status, headers, body),
      body,
    });
  });

  it('a body over the limit ends the connection', async () => {
    const answer = await ask(served.port, post('x'.repeat(1_048_577)));
    expect(answer.head).toBe(
      [
        'HTTP/1.1 413 Payload Too Large',
        'Content-Type: application/json',
        'Connection: close',
        'Content-Length: 122',
        'Date: *',
      ].join('\r\n'),
    );
    expect(JSON.parse(answer.body)).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32000,
        message: 'Payload Too Large: the body must not be over 1048576 bytes',
      },
      id: null,
    });
  });

  it('a client that guesses tokens is refused for a while', async () => {
    const config = configOf({ failedAuthLimit: { attempts: 1, window: '1m' } });
    const limited = await serve({ config });
    const guess = post(LIST, { token: 'tok_home_wrong_wrong_wrong' });
    expect((await ask(limited.port, guess)).status).toBe(401);
    const { head, status } = await ask(limited.port, guess);
    expect(status).toBe(429);
    expect(head).toMatch(/^retry-after: 60$/m);
    await limited.close();
  });

  it('everything is unknown while the endpoint is disabled', async () => {
    const off = await serve({ config: null });
    // The gate of the endpoint writes its headers in lower case.
    for (const path of ['/mcp', '/mcp/x', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await ask(off.port, post(LIST, { path }));
      expect(answer).toMatchObject({ status: 404, body: '{"error":"not found"}' });
      expect(answer.head).toMatch(/^content-type: application\/json$/im);
    }
    await off.close();
  });

  // proves: errors.unavailable
  it.each([
    ['there are none', () => null],
    [
      'they cannot be had',
      () => {
        throw new Error('not yet');
      },
    ],
  ])('there are no tools: %s', async (_name, toolsetOf) => {
    const empty = await serve({ toolsetOf });
    // 503 comes before every question about headers.
    const answer = await ask(empty.port, post('', { headers: { Accept: 'text/html' } }));
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toEqual({
      error: expect.any(String),
      code: 'ops_unavailable',
    });
    await empty.close();
  });

  it('reports that another handler has read the body', async () => {
    const eaten = await serve();
    const { port, close } = await (await import('./wire.ts')).listen((request, response) => {
      request.resume().on('end', () => setImmediate(() => eaten.surface.handle(request, response)));
    });
    expect((await ask(port, post(LIST))).status).toBe(503);
    expect(eaten.logger.lines.map(({ message }) => message)).toEqual([
      'body of an MCP request was read by another handler',
    ]);
    await close();
    await eaten.close();
  });

  it('checks in order: each step is reached only if the earlier ones passed', async () => {
    const wrong = {
      'X-Forwarded-For': '203.0.113.9',
      Origin: 'null',
      Accept: '*/*',
      'Content-Type': 'text/plain',
    };
    const steps: [number, Buffer][] = [
      [403, post('{', { token: null, method: 'PUT', headers: wrong })],
      [
        401,
        post('{', { token: null, method: 'PUT', headers: { ...wrong, 'X-Forwarded-For': null } }),
      ],
      [403, post('{', { method: 'PUT', headers: { ...wrong, 'X-Forwarded-For': null } })],
      [
        405,
        post('{', { method: 'PUT', headers: { ...wrong, 'X-Forwarded-For': null, Origin: null } }),
      ],
      [406, post('{', { headers: { ...wrong, 'X-Forwarded-For': null, Origin: null } })],
      [415, post('x'.repeat(1_048_577), { headers: { 'Content-Type': 'text/plain' } })],
      [413, post('x'.repeat(1_048_577))],
      [400, post('{')],
    ];
    for (const [status, request] of steps) {
      expect((await ask(served.port, request)).status).toBe(status);
    }
  });

  it('refuses wrong headers before the body, even if it never arrives', async () => {
    const request = post('', { headers: { Accept: 'text/html', 'Content-Length': '1000' } });
    expect((await ask(served.port, request)).status).toBe(406);
  });

  it('logs who was refused, and nothing else', async () => {
    const fresh = await serve();
    await ask(fresh.port, post(LIST, { token: 'tok_home_not_of_anybody_xx' }));
    await ask(fresh.port, post(LIST, { headers: { Origin: 'null' } }));
    await ask(fresh.port, post(LIST, { headers: { 'X-Forwarded-For': '203.0.113.9' } }));
    await ask(fresh.port, post(LIST, { headers: { Accept: '*/*' } }));
    const line = (code: string) => ({
      level: 'info',
      message: 'request to the MCP endpoint refused',
      fields: { method: 'POST', address: '127.0.0.1', code },
    });
    expect(fresh.logger.lines).toEqual([
      line('auth_required'),
      line('forbidden_origin'),
      line('insecure_transport'),
    ]);
    expect(JSON.stringify(fresh.logger.lines)).not.toContain(TOKENS.ada);
    await fresh.close();
  });
});
