import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createToolset, eventsOf, post, type Served, serve, textAnswer } from './fixture.ts';
import { ask, type WireAnswer } from './wire.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const RUNS = 300;

const json = fc.jsonValue({ maxDepth: 3 });
const meta = fc.record(
  {
    [VERSION]: fc.oneof(fc.constantFrom('2026-07-28', '2025-11-25', '2099-01-01'), json),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), json),
    progressToken: fc.oneof(fc.string(), fc.integer(), json),
  },
  { requiredKeys: [] },
);
const params = fc.record(
  {
    _meta: fc.oneof({ weight: 3, arbitrary: meta }, { weight: 1, arbitrary: json }),
    name: fc.oneof(fc.constantFrom('echo', 'fails', 'nope', '__proto__'), json),
    arguments: fc.oneof(fc.object({ maxDepth: 2 }), json),
    cursor: json,
    task: json,
    protocolVersion: fc.oneof(fc.constantFrom('2025-11-25', '2026-07-28'), json),
    capabilities: fc.oneof(fc.constant({}), json),
    clientInfo: fc.oneof(fc.constant({ name: 'x', version: '1' }), json),
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: json }),
    id: fc.oneof(
      { weight: 4, arbitrary: fc.oneof(fc.integer(), fc.string()) },
      { weight: 1, arbitrary: json },
    ),
    method: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          'initialize',
          'ping',
          'tools/list',
          'tools/call',
          'server/discover',
          'subscriptions/listen',
          'notifications/initialized',
          'notifications/cancelled',
          'logging/setLevel',
          'tasks/get',
        ),
      },
      { weight: 1, arbitrary: json },
    ),
    params: fc.oneof({ weight: 6, arbitrary: params }, { weight: 1, arbitrary: json }),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);
const body = fc.oneof(
  { weight: 8, arbitrary: message.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: json.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
);
const token = fc.stringMatching(/^[!-~]{1,20}$/);
const headers = fc.record(
  {
    'MCP-Protocol-Version': fc.oneof(
      fc.constantFrom('2026-07-28', '2025-11-25', '2099-01-01'),
      token,
    ),
    'Mcp-Method': fc.oneof(fc.constantFrom('tools/list', 'tools/call', 'initialize'), token),
    'Mcp-Name': fc.oneof(fc.constantFrom('echo', '=?base64?ZWNobw==?=', '=?base64?!?='), token),
    'Last-Event-ID': token,
    'Mcp-Session-Id': token,
  },
  { requiredKeys: [] },
);

/** Every response has one of three forms; anything else, such as HTML or a stack trace, is wrong. */
function expectProper({ status, head, body: text }: WireAnswer): void {
  expect([200, 202, 400, 404]).toContain(status);
  expect(text).not.toMatch(/<html|node_modules|\.ts:\d/i);
  if (status === 202) {
    expect(text).toBe('');
    return;
  }
  if (status !== 200) {
    expect(head).toMatch(/^Content-Type: application\/json$/m);
    expect(JSON.parse(text)).toMatchObject({
      jsonrpc: '2.0',
      error: { message: expect.any(String) },
    });
    return;
  }
  expect(head).toMatch(/^Content-Type: text\/event-stream$/m);
  const events = eventsOf(text);
  expect(events.at(-1)).toHaveProperty('id');
  expect(events.filter((event) => 'id' in event)).toHaveLength(1);
}

/** Turns a hang into an error that shows the request. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('there was no answer')), 10_000);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

describe('arbitrary requests', () => {
  let served: Served;
  beforeAll(async () => {
    const fails = (): Promise<never> => Promise.reject(new Error('broken'));
    const steps = async (): Promise<ReturnType<typeof textAnswer>> => textAnswer('ok');
    served = await serve({ toolset: createToolset({ fails, steps }) });
  });
  afterAll(() => served.close());

  it('get a response, which is JSON or an event', async () => {
    await fc.assert(
      fc.asyncProperty(body, headers, async (bytes, more) => {
        expectProper(await inTime(ask(served.port, post(bytes, { headers: more }))));
      }),
      { numRuns: RUNS },
    );
  }, 30_000);

  it('a request keeps its id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.maxSafeInteger()), params, async (id, given) => {
        const { _meta: _, ...rest } = given;
        const request = { jsonrpc: '2.0', id, method: 'tools/call', params: rest };
        const { body: text } = await ask(served.port, post(request));
        expect(eventsOf(text)).toMatchObject([{ id }]);
      }),
      { numRuns: 60 },
    );
  });

  it('no target but the endpoint reaches the tools', async () => {
    const segment = fc.constantFrom(
      'mcp',
      'MCP',
      '%6dcp',
      '..',
      '.',
      '',
      'base',
      '.well-known',
      'x',
    );
    const target = fc
      .tuple(fc.array(segment, { maxLength: 4 }), fc.constantFrom('', '?', '?mcp', '/', '#', ';'))
      .map(([segments, end]) => `/${segments.join('/')}${end}`);
    await fc.assert(
      fc.asyncProperty(target, async (path) => {
        const { status } = await ask(
          served.port,
          post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { path }),
        );
        expect(status).toBe(/^\/mcp(?:\?.*)?$/.test(path) ? 200 : 404);
      }),
      { numRuns: 100 },
    );
  });
});
