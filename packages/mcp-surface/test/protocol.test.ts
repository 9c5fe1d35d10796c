import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { createFakeClock } from '@svc/core/testing';
import type { McpAnswer, McpToolset } from '@svc/mcp-surface';
import {
  type Call,
  createToolset,
  eventsOf,
  post,
  rpc,
  type Served,
  serve,
  TOKENS,
  textAnswer,
  until,
} from './fixture.ts';
import { ask, talk } from './wire.ts';

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of revision 2026-07-28. */
function modern(
  method: string,
  params: { name?: string; [key: string]: unknown } = {},
  headers: Record<string, string | null> = {},
): Buffer {
  const { _meta, ...rest } = params as { _meta?: object };
  return post(rpc(method, { ...rest, _meta: { ...MODERN, ..._meta } }), {
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(params.name === undefined ? {} : { 'Mcp-Name': params.name }),
      ...headers,
    },
  });
}

function classic(method: string, params?: object): Buffer {
  return post(rpc(method, params));
}

function streamHead(length: number): string {
  return [
    'HTTP/1.1 200 OK',
    'Content-Type: text/event-stream',
    'Cache-Control: no-cache, no-transform',
    'X-Accel-Buffering: no',
    `Content-Length: ${length}`,
    'Date: *',
    'Connection: keep-alive',
    'Keep-Alive: timeout=5',
  ].join('\r\n');
}

/** A tool that waits until the test lets it continue. */
function gated(): { tool: (call: Call) => Promise<McpAnswer>; open: () => void } {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const tool = async (): Promise<McpAnswer> => {
    await gate;
    return textAnswer('done');
  };
  return { tool, open };
}

describe('revisions up to 2025-11-25', () => {
  let served: Served;
  const toolset = createToolset();
  beforeAll(async () => {
    served = await serve({ toolset });
  });
  afterAll(() => served.close());

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    ['2026-07-28', '2025-11-25'],
    ['tomorrow', '2025-11-25'],
  ])('a handshake for %s agrees on %s', async (protocolVersion, agreed) => {
    const params = {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const text = `event: message\ndata: {"result":{"protocolVersion":"${agreed}","capabilities":{"tools":{}},"serverInfo":{"name":"svc","version":"1.2.3"}},"jsonrpc":"2.0","id":1}\n\n`;
    expect(await ask(served.port, classic('initialize', params))).toEqual({
      status: 200,
      head: streamHead(text.length),
      body: text,
    });
  });

  // proves: endpoint.answer
  it('lists the tools unchanged, in one event of known length', async () => {
    for (const id of [1, 'ü"'] as const) {
      const json = JSON.stringify({ result: { tools: toolset.tools }, jsonrpc: '2.0', id });
      const text = `event: message\ndata: ${json}\n\n`;
      expect(await ask(served.port, post(rpc('tools/list', {}, id)))).toEqual({
        status: 200,
        head: streamHead(Buffer.byteLength(text)),
        body: text,
      });
    }
  });

  it('calls a tool with its arguments', async () => {
    const request = classic('tools/call', { name: 'echo', arguments: { text: 'grün' } });
    const text =
      'event: message\ndata: {"result":{"content":[{"type":"text","text":"{\\"by\\":\\"ada\\",\\"args\\":{\\"text\\":\\"grün\\"}}"}]},"jsonrpc":"2.0","id":1}\n\n';
    expect(await ask(served.port, request)).toEqual({
      status: 200,
      head: streamHead(Buffer.byteLength(text)),
      body: text,
    });
  });

  it('ignores a request for a background task, as a server without tasks must', async () => {
    const request = classic('tools/call', { name: 'echo', task: { ttl: 1 } });
    expect(eventsOf((await ask(served.port, request)).body)).toMatchObject([
      { result: { content: [{ type: 'text' }] } },
    ]);
  });

  it.each([
    ['an unknown method', 'resources/list', undefined, -32601, 'Method not found'],
    ['a name of every object', 'constructor', undefined, -32601, 'Method not found'],
    [
      'a notification with an id',
      'notifications/initialized',
      undefined,
      -32601,
      'Method not found',
    ],
    ['a handshake without facts', 'initialize', {}, -32602, /protocolVersion/],
    ['a call without a name', 'tools/call', {}, -32602, /name/],
    ['a call without params', 'tools/call', undefined, -32602, /name/],
    ['a call of a number', 'tools/call', { name: 7 }, -32602, /name/],
    ['arguments in a list', 'tools/call', { name: 'echo', arguments: [] }, -32602, /arguments/],
    [
      'arguments that are null',
      'tools/call',
      { name: 'echo', arguments: null },
      -32602,
      /arguments/,
    ],
    ['arguments as text', 'tools/call', { name: 'echo', arguments: '{}' }, -32602, /arguments/],
    ['an unknown cursor', 'tools/list', { cursor: 'x' }, -32602, /cursor/],
  ])('%s is an error on 200', async (_name, method, params, code, message) => {
    const { status, body } = await ask(served.port, classic(method, params));
    expect(status).toBe(200);
    const [event, ...more] = eventsOf(body);
    expect(more).toEqual([]);
    expect(event).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
    });
    expect(body).not.toContain('\\n');
  });

  it('answers a ping', async () => {
    expect((await ask(served.port, classic('ping'))).body).toBe(
      'event: message\ndata: {"result":{},"jsonrpc":"2.0","id":1}\n\n',
    );
  });

  it('a handshake that names the newer revision in the header is an error of that revision', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const request = post(rpc('initialize', params), {
      headers: { 'MCP-Protocol-Version': '2026-07-28' },
    });
    expect((await ask(served.port, request)).status).toBe(400);
    const old = post(rpc('initialize', params), {
      headers: { 'MCP-Protocol-Version': '1999-01-01' },
    });
    expect((await ask(served.port, old)).status).toBe(200);
  });
});

describe('revision 2026-07-28', () => {
  let served: Served;
  const toolset = createToolset();
  beforeAll(async () => {
    served = await serve({ toolset });
  });
  afterAll(() => served.close());

  it.each([
    [{}, 'tools/call needs the name of a tool as a string'],
    [{ name: 7 }, 'tools/call needs the name of a tool as a string'],
    [{ name: 'echo', arguments: [] }, 'tools/call needs its arguments as an object'],
    [{ name: 'echo', arguments: null }, 'tools/call needs its arguments as an object'],
  ])('explains a call with %j in one sentence', async (params, message) => {
    const { name } = params as { name?: unknown };
    const headers = typeof name === 'string' ? {} : { 'Mcp-Name': 'echo' };
    const { status, body } = await ask(
      served.port,
      modern('tools/call', params as { name?: string }, headers),
    );
    // A name that differs from the header is refused earlier.
    if (status === 400) expect(body).toContain('-32020');
    else
      expect(eventsOf(body)).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32602, message } }]);
  });

  it('discovers, lists and calls without a handshake', async () => {
    const discovered = await ask(served.port, modern('server/discover'));
    expect(eventsOf(discovered.body)).toMatchObject([
      { result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }, id: 1 },
    ]);
    const listed = await ask(served.port, modern('tools/list'));
    expect(listed.head).toBe(streamHead(Buffer.byteLength(listed.body)));
    expect(eventsOf(listed.body)).toEqual([
      {
        result: {
          tools: toolset.tools,
          resultType: 'complete',
          ttlMs: 60_000,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'svc', version: '1.2.3' } },
        },
        jsonrpc: '2.0',
        id: 1,
      },
    ]);
    const called = await ask(
      served.port,
      modern('tools/call', { name: 'echo', arguments: { a: 1 } }),
    );
    expect(called.head).toBe(streamHead(Buffer.byteLength(called.body)));
    expect(eventsOf(called.body)).toMatchObject([
      { result: { content: [{ type: 'text', text: '{"by":"ada","args":{"a":1}}' }] } },
    ]);
  });

  it.each<[string, Buffer, number, number]>([
    ['an unknown method', modern('nothing/here'), 404, -32601],
    ['a ping, which this revision has not', modern('ping'), 404, -32601],
    [
      'a header that names another method',
      modern('tools/list', {}, { 'Mcp-Method': 'x' }),
      400,
      -32020,
    ],
    ['no header for the method', modern('tools/list', {}, { 'Mcp-Method': null }), 400, -32020],
    [
      'no header for the name',
      modern('tools/call', { name: 'echo' }, { 'Mcp-Name': null }),
      400,
      -32020,
    ],
    [
      'a header of another revision',
      modern('tools/list', {}, { 'MCP-Protocol-Version': '2025-06-18' }),
      400,
      -32020,
    ],
    [
      'a revision that is not there yet',
      modern(
        'tools/list',
        { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
        { 'MCP-Protocol-Version': '2099-01-01' },
      ),
      400,
      -32022,
    ],
    [
      'a header without an envelope',
      post(rpc('tools/list'), { headers: { 'MCP-Protocol-Version': '2026-07-28' } }),
      400,
      -32602,
    ],
  ])('%s is an error with its own status', async (_name, request, status, code) => {
    const answer = await ask(served.port, request);
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/^Content-Type: application\/json$/m);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { code }, id: 1 });
  });

  it.each([
    ['406', { Accept: 'application/json' }, 406],
    ['415', { 'Content-Type': 'text/plain' }, 415],
  ])('%s is refused before the family is known', async (_name, headers, status) => {
    const answer = await ask(served.port, modern('tools/list', {}, headers));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: -32000 }, id: null });
  });

  it('accepts a notification', async () => {
    const note = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, _meta: MODERN },
    };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': note.method };
    expect(await ask(served.port, post(note, { headers }))).toMatchObject({
      status: 202,
      body: '',
    });
  });

  it('an unknown cursor is an error', async () => {
    const { body } = await ask(served.port, modern('tools/list', { cursor: 'x' }));
    expect(eventsOf(body)).toMatchObject([{ error: { code: -32602 } }]);
  });
});

describe.each([
  ['2025-11-25', classic],
  ['2026-07-28', modern],
] as const)('calls in revision %s', (_revision, request) => {
  const call = (name: string, more: object = {}): Buffer =>
    request('tools/call', { name, ...more });

  it('a tool that is hidden or does not exist is unknown', async () => {
    const served = await serve();
    for (const name of ['nope', '__proto__', 'constructor', 'with space']) {
      const { status, body } = await ask(served.port, call(name));
      expect(status).toBe(200);
      expect(eventsOf(body)).toMatchObject([
        { result: { content: [{ type: 'text', text: `Unknown tool: ${name}` }], isError: true } },
      ]);
    }
    await served.close();
  });

  it.each<[string, (call: Call) => Promise<McpAnswer>, string]>([
    ['rejects', () => Promise.reject(new Error('disk is full')), 'tool failed'],
    [
      'throws',
      () => {
        throw new Error('disk is full');
      },
      'tool failed',
    ],
    [
      'gives nothing sensible',
      () => Promise.resolve('disk is full' as never),
      'tool returned no result',
    ],
  ])('a tool that %s is a failed call without details', async (_name, broken, message) => {
    const served = await serve({ toolset: createToolset({ broken }) });
    const { status, body } = await ask(
      served.port,
      call('broken', { arguments: { secret: 'abc' } }),
    );
    expect(status).toBe(200);
    expect(eventsOf(body)).toMatchObject([
      {
        result: {
          content: [{ text: 'The tool failed: the reason is in the log of the server.' }],
          isError: true,
        },
      },
    ]);
    expect(body).not.toContain('disk');
    expect(served.logger.lines).toMatchObject([{ level: 'error', message }]);
    expect(JSON.stringify(served.logger.lines)).not.toMatch(/abc|tok_/);
    await served.close();
  });

  it('a list that fails is an error without details', async () => {
    const broken: McpToolset = {
      list() {
        throw new Error('disk is full');
      },
      call: async () => null,
    };
    const served = await serve({ toolset: broken });
    const { body } = await ask(served.port, request('tools/list'));
    expect(eventsOf(body)).toMatchObject([{ error: { code: -32603 } }]);
    expect(body).not.toContain('disk');
    expect(served.logger.lines).toMatchObject([
      { level: 'error', message: 'list of tools failed' },
    ]);
    await served.close();
  });

  it('progress comes before the result, and only on request', async () => {
    const steps = async ({ options }: Call): Promise<McpAnswer> => {
      await options.progress?.(1, 2);
      await options.progress?.(2);
      return textAnswer(options.progress === null ? 'silent' : 'reported');
    };
    const served = await serve({ toolset: createToolset({ steps }) });
    const reported = await ask(served.port, call('steps', { _meta: { progressToken: 'p' } }));
    expect(eventsOf(reported.body)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 2 } },
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 2 } },
      { result: { content: [{ text: 'reported' }] }, id: 1 },
    ]);
    const silent = await ask(served.port, call('steps'));
    expect(eventsOf(silent.body)).toMatchObject([{ result: { content: [{ text: 'silent' }] } }]);
    await served.close();
  });

  it('comments keep a long call alive', async () => {
    const clock = createFakeClock();
    const { tool, open } = gated();
    const toolset = createToolset({ slow: tool });
    const served = await serve({ toolset, clock, options: { keepAliveMs: 1000 } });
    const answer = ask(served.port, call('slow'));
    await until(() => toolset.calls.length === 1 && clock.pending === 1);
    await clock.advance(2500);
    open();
    const { head, body } = await answer;
    expect(head).toMatch(/^Transfer-Encoding: chunked$/m);
    expect(body).toMatch(/^(: keepalive\n\n){2}event: message\ndata: .*\n\n$/);
    await until(() => clock.pending === 0);
    await served.close();
  });

  it('a long call without comments has a content length', async () => {
    const { tool, open } = gated();
    const toolset = createToolset({ slow: tool });
    const served = await serve({ toolset });
    const answer = ask(served.port, call('slow'));
    await until(() => toolset.calls.length === 1);
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
    open();
    const { head, body } = await answer;
    expect(head).toBe(streamHead(Buffer.byteLength(body)));
    await served.close();
  });

  it('a client that disconnects aborts its call, and nothing stays open', async () => {
    const clock = createFakeClock();
    let aborted = 0;
    const hang = ({ options: { signal } }: Call): Promise<McpAnswer> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted += 1;
          reject(new Error('stopped'));
        });
      });
    const toolset = createToolset({ hang });
    const served = await serve({ toolset, clock });
    const clients = Array.from({ length: 40 }, () => talk(served.port));
    for (const client of clients) client.send(call('hang'));
    await until(() => toolset.calls.length === 40);
    expect(clock.pending).toBe(40);
    for (const client of clients) client.end();
    await until(() => aborted === 40);
    await until(async () => (await served.connections()) === 0);
    expect(clock.pending).toBe(0);
    expect(served.logger.lines).toEqual([]);
    // An aborted call is not stopped a second time.
    served.surface.close();
    expect(aborted).toBe(40);
    await served.close();
  });

  it('closing sends an error to the client, aborts the call and refuses later requests', async () => {
    const clock = createFakeClock();
    const signals: AbortSignal[] = [];
    const hang = ({ options: { signal } }: Call): Promise<McpAnswer> => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const served = await serve({ toolset: createToolset({ hang }), clock });
    const answer = ask(served.port, call('hang'));
    const reading = talk(served.port);
    reading.send(call('echo').subarray(0, -3));
    await until(async () => signals.length === 1 && (await served.connections()) === 2);
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
    served.surface.close();
    expect(eventsOf((await answer).body)).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'The server is closing' } },
    ]);
    expect((await reading.answer()).status).toBe(503);
    expect(signals[0]?.aborted).toBe(true);
    expect((await ask(served.port, call('echo'))).status).toBe(503);
    reading.end();
    await served.close();
  });

  it('neither the token nor a cookie reaches a tool or the log', async () => {
    const toolset = createToolset();
    const served = await serve({ toolset });
    await ask(served.port, call('echo', { arguments: {} }));
    const [{ principal, args, options } = { principal: null, args: null, options: null }] =
      toolset.calls;
    expect(JSON.stringify({ principal, args, options })).not.toContain(TOKENS.ada);
    expect(principal).toMatchObject({ clientId: 'ada' });
    await served.close();
  });
});

it.each([
  ['2025-11-25', classic],
  ['2026-07-28', modern],
] as const)(
  'an answer that is not JSON is a failed call in revision %s',
  async (_name, request) => {
    const loop = async (): Promise<McpAnswer> => textAnswer(1n as never);
    const served = await serve({ toolset: createToolset({ loop }) });
    const { body } = await ask(served.port, request('tools/call', { name: 'loop' }));
    expect(eventsOf(body)).toMatchObject([{ result: { isError: true }, id: 1 }]);
    expect(served.logger.lines).toMatchObject([{ message: 'tool result is not JSON' }]);
    await served.close();
  },
);

it('a client that subscribes to changes is refused, and the stream ends', async () => {
  const served = await serve();
  const request = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  expect(eventsOf((await ask(served.port, request)).body)).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 1, result: {} },
  ]);
  await served.close();
});

it('instructions are sent in both handshakes', async () => {
  const options = { instructions: 'Ask first.' };
  const served = await serve({ options });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  for (const request of [classic('initialize', params), modern('server/discover')]) {
    const { body } = await ask(served.port, request);
    expect(eventsOf(body)).toMatchObject([{ result: options }]);
  }
  await served.close();
});

it('the revisions of the older family are those that its library supports', async () => {
  const served = await serve();
  const at = (revision: string) =>
    post(rpc('ping'), { headers: { 'MCP-Protocol-Version': revision } });
  for (const revision of SUPPORTED_PROTOCOL_VERSIONS) {
    expect((await ask(served.port, at(revision))).status).toBe(200);
  }
  const { body } = await ask(served.port, at('2024-01-01'));
  expect(body).toContain(`2026-07-28, ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')})`);
  await served.close();
});
