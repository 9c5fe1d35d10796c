import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import {
  agent,
  inFolder,
  makeRuntime,
  makeSpec,
  notingToolset,
  type Ran,
  runTurn,
  type SpecParts,
  steps,
} from './support.ts';

interface Server {
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A turn that is at its operations until it is told to go on. */
async function withServer(
  cwd: string,
  parts: SpecParts,
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const update = { sessionUpdate: 'tool_call', toolCallId: 'x', title: 'x', status: 'in_progress' };
  const prompt = steps({ servers: true }, { update }, { cancelled: true });
  const turn = makeRuntime(agent()).start(makeSpec(cwd, { ...parts, prompt }), stop.signal);
  for await (const event of turn) {
    if (event.type !== 'message' || event.message.kind !== 'text') continue;
    const [server] = JSON.parse(event.message.text) as Server[];
    if (server === undefined) throw new Error('there is no server');
    try {
      await work(server);
    } finally {
      stop.abort(new TurnStop('cancelled', 'Enough.'));
    }
  }
}

function send(
  { url, headers: own }: Server,
  body: string | object,
  headers: Record<string, string> = {},
  { method = 'POST', path }: { method?: string; path?: string } = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body });
  const given = Object.fromEntries(own.map(({ name, value }) => [name.toLowerCase(), value]));
  const all = { 'content-type': 'application/json', ...given, ...headers };
  const target = new URL(path ?? '', url);
  if (path === undefined) target.pathname = '/mcp';
  return new Promise((resolve, reject) => {
    const call = request(target, { method, headers: all, agent: false }, (response) => {
      let said = '';
      response.on('data', (chunk) => (said += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: said });
      });
    });
    call.on('error', reject);
    call.end(text);
  });
}

const LIST = { id: 1, method: 'tools/list' };
const names = (answer: Answer): string[] =>
  JSON.parse(answer.body).result.tools.map(({ name }: { name: string }) => name);

const run = (cwd: string, list: readonly object[], parts: SpecParts): Promise<Ran> =>
  runTurn(makeRuntime(agent()), makeSpec(cwd, { ...parts, prompt: steps(...list) }));

// proves: external.acp.operations
describe('the operations of an agent', () => {
  it('are a server on this machine alone, with what the turn lists and nothing else', () =>
    inFolder(async (cwd) => {
      const toolset = notingToolset();
      const capability = { tools: ['Read', 'mcp__svc_manage__list_triggers'] };
      await withServer(cwd, { toolset, capability }, async (server) => {
        expect(server).toMatchObject({ type: 'http', name: 'svc_manage' });
        expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
        expect(server.headers).toEqual([
          { name: 'Authorization', value: expect.stringMatching(/^Bearer [\w-]{43}$/) },
        ]);
        expect(names(await send(server, LIST))).toEqual(['list_triggers']);
      });
    }));

  it('are called by their names, with what they give back', () =>
    inFolder(async (cwd) => {
      const toolset = notingToolset();
      const list = [{ operation: { name: 'set_trigger', args: { name: 'x' } } }];
      const { said, end } = await run(cwd, list, { toolset });
      expect(toolset.calls).toEqual(['mcp__svc_manage__set_trigger {"name":"x"}']);
      expect(said.join()).toContain('mcp__svc_manage__set_trigger was done');
      expect(end).toMatchObject({ outcome: 'succeeded', denied: [] });
    }));

  it.each([
    [
      'not listed',
      { tools: ['mcp__svc_manage__list_triggers'] },
      0,
      'This turn has no tool mcp__svc_manage__set_trigger.',
    ],
    [
      'only a reader’s under plan',
      { permissionMode: 'plan' },
      0,
      'mcp__svc_manage__set_trigger is not allowed in permission mode plan, which is read-only.',
    ],
  ] as const)(
    'are refused where they are %s, and nothing is done',
    (_, capability, depth, reason) =>
      inFolder(async (cwd) => {
        const toolset = notingToolset();
        const list = [{ operation: { name: 'set_trigger' } }];
        const { end, said } = await run(cwd, list, { toolset, capability, depth });
        expect(toolset.calls).toEqual([]);
        expect(said.join()).toContain('"isError":true');
        expect(end).toMatchObject({
          outcome: 'denied',
          reason: `mcp__svc_manage__set_trigger was refused: ${reason}`,
        });
      }),
  );

  it('that start turns are not there where the depth is spent', () =>
    inFolder(async (cwd) => {
      const parts = { toolset: notingToolset(), depth: 1 };
      await withServer(cwd, parts, async (server) => {
        expect(names(await send(server, LIST))).toEqual(['list_triggers', 'set_trigger']);
      });
    }));

  it('that were refused stay so, whatever the agent says of its call', () =>
    inFolder(async (cwd) => {
      const toolset = notingToolset();
      const update = {
        sessionUpdate: 'tool_call',
        toolCallId: 'a',
        title: 'svc_manage_set_trigger',
        status: 'completed',
      };
      const list = [{ operation: { name: 'set_trigger' } }, { update }, { say: 'Done.' }];
      const capability = { tools: ['mcp__svc_manage__list_triggers'] };
      expect((await run(cwd, list, { toolset, capability })).end.outcome).toBe('denied');
    }));

  it('that break are told as errors', () =>
    inFolder(async (cwd) => {
      const toolset = { ...notingToolset(), call: () => Promise.reject(new Error('No disk')) };
      const { said } = await run(cwd, [{ operation: { name: 'set_trigger' } }], { toolset });
      expect(said.join()).toContain('"text":"set_trigger failed: No disk"');
    }));

  it.each<[string, SpecParts, object]>([
    ['no operations', { toolset: null }, {}],
    ['none that it lists', { toolset: notingToolset(), capability: { tools: ['Read'] } }, {}],
  ])('are no server at all for a turn with %s', (_, parts, how) =>
    inFolder(async (cwd) => {
      const spec = makeSpec(cwd, { ...parts, prompt: steps({ servers: true }) });
      const { said, notices } = await runTurn(makeRuntime(agent(how)), spec);
      expect(said).toEqual(['[]']);
      expect(notices).toEqual([]);
    }),
  );

  it('are missing, in words, for an agent that takes no servers over HTTP', () =>
    inFolder(async (cwd) => {
      const spec = makeSpec(cwd, { toolset: notingToolset(), prompt: steps({ servers: true }) });
      const runtime = makeRuntime(agent({ capabilities: { mcpCapabilities: {} } }));
      const { said, notices } = await runTurn(runtime, spec);
      expect(said).toEqual(['[]']);
      expect(notices).toEqual([
        'The agent takes no MCP servers over HTTP: it has none of the operations of this turn.',
      ]);
    }));
});

// proves: external.acp.operations
describe('the endpoint of the operations', () => {
  const toolset = notingToolset();

  it('answers the messages of the protocol without a session', () =>
    inFolder((cwd) =>
      withServer(cwd, { toolset }, async (server) => {
        const hello = { id: 'a', method: 'initialize', params: { protocolVersion: '2025-06-18' } };
        const greeted = await send(server, hello);
        expect(greeted.headers['content-type']).toBe('application/json');
        expect(greeted.headers['mcp-session-id']).toBe(undefined);
        expect(JSON.parse(greeted.body)).toEqual({
          jsonrpc: '2.0',
          id: 'a',
          result: {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'svc_manage', title: 'svc', version: '1' },
          },
        });
        const newer = { id: 1, method: 'initialize', params: { protocolVersion: '2099-01-01' } };
        expect((await send(server, newer)).body).toContain('"protocolVersion":"2025-11-25"');
        const note = await send(server, { method: 'notifications/initialized' });
        expect([note.status, note.body]).toEqual([202, '']);
        expect((await send(server, { id: 2, method: 'ping' })).body).toContain('"result":{}');
        expect((await send(server, { id: 3, method: 'resources/list' })).body).toContain('-32601');
        const call = { id: 4, method: 'tools/call', params: { name: 5 } };
        expect((await send(server, call)).body).toContain('-32602');
        for (const body of ['{', '[]', '"x"', '{"id":1,"method":"ping"}']) {
          expect((await send(server, body)).status).toBe(400);
        }
      }),
    ));

  it('takes its own token and no other', () =>
    inFolder((cwd) =>
      withServer(cwd, { toolset }, async (server) => {
        const token = server.headers[0]?.value ?? '';
        const without = { ...server, headers: [] };
        expect((await send(without, LIST)).status).toBe(401);
        for (const wrong of [
          `${token}x`,
          token.slice(0, -1),
          'Bearer x',
          `Basic ${token}`,
          'Bearer ',
        ]) {
          expect((await send(without, LIST, { authorization: wrong })).status).toBe(401);
        }
        expect((await send(without, LIST, { authorization: token })).status).toBe(200);
      }),
    ));

  it.each<[number, Record<string, string>, { method?: string; path?: string }]>([
    [403, { host: 'attacker.example' }, {}],
    [403, { host: 'localhost' }, {}],
    [403, { origin: 'https://attacker.example' }, {}],
    [403, { origin: 'null' }, {}],
    [405, {}, { method: 'GET' }],
    [405, {}, { method: 'DELETE' }],
    [404, {}, { path: '/' }],
    [404, {}, { path: '/mcp/' }],
    [404, {}, { path: '/api/projects' }],
    [415, { 'content-type': 'text/plain' }, {}],
    [200, { 'content-type': 'application/json; charset=utf-8' }, {}],
  ])('answers %i to %j %j', (status, headers, how) =>
    inFolder((cwd) =>
      withServer(cwd, { toolset }, async (server) => {
        expect((await send(server, LIST, headers, how)).status).toBe(status);
      }),
    ),
  );

  it('reads no body of more than 1 MiB, told or not', () =>
    inFolder((cwd) =>
      withServer(cwd, { toolset }, async (server) => {
        const large = `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(1024 * 1024)}"}`;
        expect((await send(server, large)).status).toBe(413);
        const chunked = send(server, large, { 'transfer-encoding': 'chunked' });
        // It may have hung up while the rest was still being sent.
        expect(
          await chunked.then(
            ({ status }) => status,
            () => 413,
          ),
        ).toBe(413);
        expect((await send(server, LIST)).status).toBe(200);
      }),
    ));

  it('is gone with its turn, and what it is at is told to stop', () =>
    inFolder(async (cwd) => {
      let left: Server | null = null;
      let stopped = false;
      const slow = {
        ...notingToolset(),
        call: (_name: string, _args: unknown, signal: AbortSignal) =>
          new Promise<never>((_, reject) => {
            signal.addEventListener('abort', () => {
              stopped = true;
              reject(new Error('stopped'));
            });
          }),
      };
      let pending: Promise<unknown> = Promise.resolve();
      await withServer(cwd, { toolset: slow }, async (server) => {
        left = server;
        const call = { id: 1, method: 'tools/call', params: { name: 'set_trigger' } };
        pending = send(server, call).catch(() => null);
        expect((await send(server, LIST)).status).toBe(200);
      });
      await pending;
      expect(stopped).toBe(true);
      if (left === null) throw new Error('there was no server');
      await expect(send(left, LIST)).rejects.toThrow('ECONNREFUSED');
    }));

  it('has another token and port for each turn, none of which is good for another', () =>
    inFolder(async (cwd) => {
      await withServer(cwd, { toolset }, (first) =>
        withServer(cwd, { toolset }, async (second) => {
          expect(first.url).not.toBe(second.url);
          const swapped = { ...second, headers: first.headers };
          expect((await send(swapped, LIST)).status).toBe(401);
        }),
      );
    }));
});
