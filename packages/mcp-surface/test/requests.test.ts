import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configOf, createToolset, post, rpc, type Served, serve, TOKENS } from './fixture.ts';
import { ask } from './wire.ts';

const LIST = rpc('tools/list');
const AUTHORIZATION_SERVERS = ['https://login.example.com'];

describe('which requests reach the tools', () => {
  let served: Served;
  const toolset = createToolset();
  beforeAll(async () => {
    served = await serve({
      toolset,
      config: configOf({
        publicUrl: 'https://svc.example.com/base',
        authorizationServers: AUTHORIZATION_SERVERS,
      }),
      options: { publicHosts: ['page.example', 'other.example:8443', '192.0.2.7', ':bad'] },
    });
  });
  afterAll(() => served.close());
  const statusOf = async (headers: Record<string, string | string[] | null>): Promise<number> =>
    (await ask(served.port, post(LIST, { headers }))).status;

  // proves: endpoint.request-headers
  it.each([
    ['application/json, text/event-stream', 200],
    ['text/event-stream,application/json', 200],
    ['Application/JSON, TEXT/Event-Stream', 200],
    ['application/json;q=0.5, text/event-stream; q=0.1, */*', 200],
    ['application/json;charset="utf-8,x";v=1, text/event-stream', 200],
    ['text/html, application/json , , text/event-stream', 200],
    ['application/json;q=0, text/event-stream', 406],
    ['application/json, text/event-stream;q=0.000', 406],
    ['application/json, text/event-stream; Q=0', 406],
    ['application/json;q=0, application/json, text/event-stream', 200],
    ['*/*', 406],
    ['application/*, text/*', 406],
    ['application/json, text/*', 406],
    ['application/json', 406],
    ['text/event-stream', 406],
    ['application/jsonx, text/event-stream', 406],
    ['application/json;a="text/event-stream"', 406],
    ['application/json;a=", text/event-stream', 406],
    ['application/json text/event-stream', 406],
    ['', 406],
  ])('Accept: %s is %i', async (accept, status) => {
    expect(await statusOf({ Accept: accept })).toBe(status);
  });

  it('no Accept is 406, and several are one list', async () => {
    expect(await statusOf({ Accept: null })).toBe(406);
    expect(await statusOf({ Accept: ['application/json', 'text/event-stream'] })).toBe(200);
    expect(await statusOf({ Accept: ['text/html', 'text/event-stream'] })).toBe(406);
  });

  // proves: endpoint.request-headers
  it.each([
    ['application/json', 200],
    ['Application/Json', 200],
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['application/json ; profile=x', 200],
    ['application/json;charset=utf-16', 415],
    ['application/json;charset=utf-8;charset=latin1', 415],
    ['application/json;charset=', 415],
    ['application/json, text/plain', 415],
    ['application/jsonp', 415],
    ['application/json-rpc', 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['', 415],
  ])('Content-Type: %s is %i', async (type, status) => {
    expect(await statusOf({ 'Content-Type': type })).toBe(status);
  });

  it.each([
    [{ 'Content-Type': null }, 415],
    [{ 'Content-Type': ['application/json', 'text/plain'] }, 415],
    [{ 'Content-Encoding': 'identity' }, 200],
    [{ 'Content-Encoding': 'gzip' }, 415],
    [{ 'Content-Encoding': ['identity', 'gzip'] }, 415],
    [{ 'MCP-Protocol-Version': '2025-06-18' }, 200],
    [{ 'MCP-Protocol-Version': '' }, 400],
    [{ 'MCP-Protocol-Version': ['2025-06-18', '2025-06-18'] }, 400],
    [{ Authorization: [`Bearer ${TOKENS.ada}`, `Bearer ${TOKENS.bob}`] }, 401],
    [{ Authorization: [`Bearer ${TOKENS.ada}`, `Bearer ${TOKENS.ada}`] }, 401],
    [{ Authorization: `Bearer ${TOKENS.ada}, Bearer ${TOKENS.ada}` }, 401],
    [{ Authorization: `bearer  ${TOKENS.ada} ` }, 200],
    [{ Authorization: `Basic ${TOKENS.ada}` }, 401],
  ])('headers %j are %i', async (headers, status) => {
    expect(await statusOf(headers as Record<string, string | string[] | null>)).toBe(status);
  });

  it.each([
    ['http://localhost', 200],
    ['http://localhost:5173', 200],
    ['https://LOCALHOST', 200],
    ['http://app.localhost:1', 200],
    ['http://127.0.0.1:8080', 200],
    ['http://127.9.9.9', 200],
    ['http://[::1]:3000', 200],
    ['https://svc.example.com', 200],
    ['https://svc.example.com:443', 200],
    ['https://page.example', 200],
    ['http://page.example:81', 200],
    ['https://other.example:8443', 200],
    ['https://192.0.2.7', 200],
    ['https://other.example', 403],
    ['http://svc.example.com', 403],
    ['https://svc.example.com:8443', 403],
    ['https://sub.page.example', 403],
    ['https://evilpage.example', 403],
    ['https://localhost.evil.example', 403],
    ['https://evillocalhost', 403],
    ['http://localhost@evil.example', 403],
    ['http://localhost/', 403],
    ['http://127.0.0.1.evil.example', 403],
    ['http://128.0.0.1', 403],
    ['http://[::2]', 403],
    ['http://localhost, https://evil.example', 403],
    ['chrome-extension://localhost', 403],
    ['null', 403],
    ['', 403],
    ['nonsense', 403],
  ])('Origin: %s is %i', async (origin, status) => {
    expect(await statusOf({ Origin: origin })).toBe(status);
  });

  it('two origins are refused', async () => {
    expect(await statusOf({ Origin: ['http://localhost', 'http://localhost'] })).toBe(403);
  });

  it.each([
    '/mcp',
    '/mcp?',
    '/mcp?x=/../y',
    '/base/mcp',
    '/base/mcp?x',
    'http://svc.example.com/mcp',
    'HTTPS://u@svc.example.com:1/base/mcp?x',
  ])('%s is the endpoint', async (path) => {
    expect((await ask(served.port, post(LIST, { path }))).status).toBe(200);
  });

  it.each([
    ['/mcp/', 'nothing'],
    ['/mcp/..', 'nothing'],
    ['/mcp/../mcp', 'nothing'],
    ['/mcp/%2e%2e/mcp', 'nothing'],
    ['/base/mcp/', 'nothing'],
    ['/base/mcp/x', 'nothing'],
    ['/.well-known/', 'nothing'],
    ['/.well-known/oauth-authorization-server', 'nothing'],
    ['/.well-known/../mcp', 'nothing'],
    ['/.well-known/oauth-protected-resource/', 'nothing'],
    ['http://svc.example.com/mcp/x', 'nothing'],
    ['/MCP', 'host'],
    ['/Mcp', 'host'],
    ['//mcp', 'host'],
    ['/%6dcp', 'host'],
    ['/mcp%2F', 'host'],
    ['/mcp;x', 'host'],
    ['/mcp#x', 'host'],
    ['/./mcp', 'host'],
    ['/x/../mcp', 'host'],
    ['/mcpx', 'host'],
    ['/x?/mcp', 'host'],
    ['/base//mcp', 'host'],
    ['/other/mcp', 'host'],
    ['/', 'host'],
  ])('%s never reaches the tools, for any method: %s', async (path, expected) => {
    const before = toolset.calls.length;
    const call = rpc('tools/call', { name: 'echo' });
    for (const method of ['POST', 'GET', 'PUT', 'OPTIONS', 'DELETE']) {
      const answer = await ask(served.port, post(call, { path, method }));
      expect(answer).toMatchObject({
        status: 404,
        body: expected === 'nothing' ? '{"error":"not found"}' : 'host',
      });
    }
    expect(toolset.calls).toHaveLength(before);
  });

  // CONNECT is not a request to a server, and M-SEARCH and the like are as unknown as the rest.
  const others = METHODS.filter((method) => !['POST', 'CONNECT'].includes(method));
  it.each(others)('%s passes the gate and is 405 after it', async (method) => {
    const isHead = method === 'HEAD';
    const refused = await ask(served.port, post('', { method, token: null }), isHead);
    expect(refused.status).toBe(401);
    const answer = await ask(served.port, post('', { method }), isHead);
    expect(answer.status).toBe(405);
    expect(answer.head).toMatch(/^Allow: POST$/m);
    if (!isHead)
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: -32000 }, id: null });
  });
});

describe('metadata documents', () => {
  const paths = [
    '/.well-known/oauth-protected-resource/base/mcp',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource?x=1',
  ];
  const config = configOf({
    publicUrl: 'https://svc.example.com/base',
    authorizationServers: AUTHORIZATION_SERVERS,
  });
  const from = (path: string, method = 'GET'): Buffer =>
    post('', { path, method, token: null, headers: { 'X-Forwarded-For': '203.0.113.9' } });

  it('are public at their paths, byte for byte', async () => {
    const served = await serve({ config });
    for (const path of paths) {
      const answer = await ask(served.port, from(path));
      expect(answer.head).toBe(
        [
          'HTTP/1.1 200 OK',
          'content-type: application/json',
          'access-control-allow-origin: *',
          'cache-control: public, max-age=300',
          `Content-Length: ${answer.body.length}`,
          'Date: *',
          'Connection: keep-alive',
          'Keep-Alive: timeout=5',
        ].join('\r\n'),
      );
      expect(JSON.parse(answer.body)).toEqual({
        resource: 'https://svc.example.com/base/mcp',
        authorization_servers: AUTHORIZATION_SERVERS,
        scopes_supported: ['svc:read', 'svc:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'svc management API',
      });
      const { head } = await ask(served.port, from(path, 'HEAD'), true);
      expect(head).toBe(answer.head);
    }
    await served.close();
  });

  it('are read-only', async () => {
    const served = await serve({ config });
    const [path = ''] = paths;
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await ask(served.port, from(path, method));
      expect(answer).toMatchObject({ status: 405, body: '{"error":"method not allowed"}' });
      expect(answer.head).toMatch(/^Allow: GET, HEAD$/m);
    }
    const preflight = await ask(served.port, from(path, 'OPTIONS'));
    expect(preflight.status).toBe(204);
    expect(preflight.head).toMatch(/^Access-Control-Allow-Origin: \*$/m);
    await served.close();
  });

  it.each([
    ['there are no authorization servers', configOf()],
    ['the endpoint is off', null],
  ])('do not exist if %s', async (_name, none) => {
    const served = await serve({ config: none });
    for (const path of paths) {
      const answer = await ask(served.port, from(path));
      expect(answer).toMatchObject({ status: 404, body: '{"error":"not found"}' });
    }
    await served.close();
  });
});
