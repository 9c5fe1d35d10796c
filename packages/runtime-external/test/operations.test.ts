import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import {
  agent,
  inFolder,
  makeRuntime,
  makeSpec,
  type Ran,
  recordingToolset,
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

/** Runs a test with the operations server of a turn, which is cancelled afterwards. */
async function withServer(
  cwd: string,
  parts: SpecParts,
  test: (server: Server) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const update = { sessionUpdate: 'tool_call', toolCallId: 'x', title: 'x', status: 'in_progress' };
  const prompt = steps({ servers: true }, { update }, { cancelled: true });
  const turn = makeRuntime(agent()).start(makeSpec(cwd, { ...parts, prompt }), stop.signal);
  for await (const event of turn) {
    if (event.type !== 'message' || event.message.kind !== 'text') continue;
    const [server] = JSON.parse(event.message.text) as Server[];
    if (server === undefined) throw new Error('the turn has no operations server');
    try {
      await test(server);
    } finally {
      stop.abort(new TurnStop('cancelled', 'Enough.'));
    }
  }
}

function send(
  { url, headers: serverHeaders }: Server,
  body: string | object,
  headers: Record<string, string> = {},
  { method = 'POST', path }: { method?: string; path?: string } = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body });
  const auth = Object.fromEntries(
    serverHeaders.map(({ name, value }) => [name.toLowerCase(), value]),
  );
  const all = { 'content-type': 'application/json', ...auth, ...headers };
  const target = new URL(path ?? '', url);
  if (path === undefined) target.pathname = '/mcp';
  return new Promise((resolve, reject) => {
    const call = request(target, { method, headers: all, agent: false }, (response) => {
      let received = '';
      response.on('data', (chunk) => (received += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received });
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
  it('are served on the loopback interface, with only the listed operations', () =>
    inFolder(async (cwd) => {
      const toolset = recordingToolset();
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

  it('are called by their names and return their results', () =>
    inFolder(async (cwd) => {
      const toolset = recordingToolset();
      const list = [{ operation: { name: 'set_trigger', args: { name: 'x' } } }];
      const { texts, end } = await run(cwd, list, { toolset });
      expect(toolset.calls).toEqual(['mcp__svc_manage__set_trigger {"name":"x"}']);
      expect(texts.join()).toContain('mcp__svc_manage__set_trigger was done');
      expect(end).toMatchObject({ outcome: 'succeeded', denied: [] });
    }));

  it.each([
    [
      'not listed',
      { tools: ['mcp__svc_manage__list_triggers'] },
      0,
      'The mcp__svc_manage__set_trigger tool is not available in this turn.',
    ],
    [
      'mutating in permission mode plan',
      { permissionMode: 'plan' },
      0,
      'mcp__svc_manage__set_trigger is not allowed in permission mode plan, which is read-only.',
    ],
  ] as const)('are refused without effect if they are %s', (_, capability, depth, reason) =>
    inFolder(async (cwd) => {
      const toolset = recordingToolset();
      const list = [{ operation: { name: 'set_trigger' } }];
      const { end, texts } = await run(cwd, list, { toolset, capability, depth });
      expect(toolset.calls).toEqual([]);
      expect(texts.join()).toContain('"isError":true');
      expect(end).toMatchObject({
        outcome: 'denied',
        reason: `mcp__svc_manage__set_trigger was refused: ${reason}`,
      });
    }),
  );

  it('that start turns are absent at the maximum spawn depth', () =>
    inFolder(async (cwd) => {
      const parts = { toolset: recordingToolset(), depth: 1 };
      await withServer(cwd, parts, async (server) => {
        expect(names(await send(server, LIST))).toEqual(['list_triggers', 'set_trigger']);
      });
    }));

  it('that were refused stay refused, whatever status the agent reports', () =>
    inFolder(async (cwd) => {
      const toolset = recordingToolset();
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

  it('that throw return errors', () =>
    inFolder(async (cwd) => {
      const toolset = { ...recordingToolset(), call: () => Promise.reject(new Error('No disk')) };
      const { texts } = await run(cwd, [{ operation: { name: 'set_trigger' } }], { toolset });
      expect(texts.join()).toContain('"text":"set_trigger failed: No disk"');
    }));

  it.each<[string, SpecParts, object]>([
    ['no operations', { toolset: null }, {}],
    ['no listed operations', { toolset: recordingToolset(), capability: { tools: ['Read'] } }, {}],
  ])('are not served for a turn with %s', (_, parts, behavior) =>
    inFolder(async (cwd) => {
      const spec = makeSpec(cwd, { ...parts, prompt: steps({ servers: true }) });
      const { texts, notices } = await runTurn(makeRuntime(agent(behavior)), spec);
      expect(texts).toEqual(['[]']);
      expect(notices).toEqual([]);
    }),
  );

  it('are reported as missing for an agent that does not support servers over HTTP', () =>
    inFolder(async (cwd) => {
      const spec = makeSpec(cwd, { toolset: recordingToolset(), prompt: steps({ servers: true }) });
      const runtime = makeRuntime(agent({ capabilities: { mcpCapabilities: {} } }));
      const { texts, notices } = await runTurn(runtime, spec);
      expect(texts).toEqual(['[]']);
      expect(notices).toEqual([
        'The agent does not support MCP servers over HTTP, so it has no svc operations in this turn.',
      ]);
    }));
});

// proves: external.acp.operations
describe('the operations endpoint', () => {
  const toolset = recordingToolset();

  it('handles protocol messages without a session', () =>
    inFolder((cwd) =>
      withServer(cwd, { toolset }, async (server) => {
        const initialize = {
          id: 'a',
          method: 'initialize',
          params: { protocolVersion: '2025-06-18' },
        };
        const initialized = await send(server, initialize);
        expect(initialized.headers['content-type']).toBe('application/json');
        expect(initialized.headers['mcp-session-id']).toBe(undefined);
        expect(JSON.parse(initialized.body)).toEqual({
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
        const notified = await send(server, { method: 'notifications/initialized' });
        expect([notified.status, notified.body]).toEqual([202, '']);
        expect((await send(server, { id: 2, method: 'ping' })).body).toContain('"result":{}');
        expect((await send(server, { id: 3, method: 'resources/list' })).body).toContain('-32601');
        const call = { id: 4, method: 'tools/call', params: { name: 5 } };
        expect((await send(server, call)).body).toContain('-32602');
        for (const body of ['{', '[]', '"x"', '{"id":1,"method":"ping"}']) {
          expect((await send(server, body)).status).toBe(400);
        }
      }),
    ));

  it('accepts only its own token', () =>
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
  ])('responds with %i to %j %j', (status, headers, target) =>
    inFolder((cwd) =>
      withServer(cwd, { toolset }, async (server) => {
        expect((await send(server, LIST, headers, target)).status).toBe(status);
      }),
    ),
  );

  it('refuses bodies over 1 MiB, with and without a declared length', () =>
    inFolder((cwd) =>
      withServer(cwd, { toolset }, async (server) => {
        const large = `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(1024 * 1024)}"}`;
        expect((await send(server, large)).status).toBe(413);
        const chunked = send(server, large, { 'transfer-encoding': 'chunked' });
        // The server may close the connection while the rest is still being sent.
        expect(
          await chunked.then(
            ({ status }) => status,
            () => 413,
          ),
        ).toBe(413);
        expect((await send(server, LIST)).status).toBe(200);
      }),
    ));

  it('closes with its turn and aborts running calls', () =>
    inFolder(async (cwd) => {
      let closed: Server | null = null;
      let aborted = false;
      const slow = {
        ...recordingToolset(),
        call: (_name: string, _args: unknown, signal: AbortSignal) =>
          new Promise<never>((_, reject) => {
            signal.addEventListener('abort', () => {
              aborted = true;
              reject(new Error('aborted'));
            });
          }),
      };
      let pending: Promise<unknown> = Promise.resolve();
      await withServer(cwd, { toolset: slow }, async (server) => {
        closed = server;
        const call = { id: 1, method: 'tools/call', params: { name: 'set_trigger' } };
        pending = send(server, call).catch(() => null);
        expect((await send(server, LIST)).status).toBe(200);
      });
      await pending;
      expect(aborted).toBe(true);
      if (closed === null) throw new Error('the turn had no operations server');
      await expect(send(closed, LIST)).rejects.toThrow('ECONNREFUSED');
    }));

  it('has its own token and port for each turn', () =>
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
