import { expect, it } from '@jest/globals';
import type { McpAnswer, McpTool, McpToolset } from '@svc/mcp-surface';
import { parseManagementConfig } from '@svc/mgmt-auth';
import {
  asks,
  type Call,
  configOf,
  createToolset,
  eventsOf,
  post,
  rpc,
  serve,
  textAnswer,
  until,
} from './fixture.ts';
import { ask, talk } from './wire.ts';

const CLIENTS = 40;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function tokenOf(client: number): string {
  return `tok_home_0123456789abcdef_${client}`;
}

function request(
  method: string,
  params: object,
  id: number,
  client: number,
  modern: boolean,
): Buffer {
  const headers = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(method === 'tools/call' ? { 'Mcp-Name': 'whoami' } : {}),
  };
  return post(rpc(method, modern ? { ...params, _meta: META } : params, id), {
    token: tokenOf(client),
    headers: modern ? headers : {},
  });
}

// proves: endpoint.stateless
it('hundreds of concurrent requests each get the response of their own client', async () => {
  const env = Object.fromEntries(
    Array.from({ length: CLIENTS }, (_, client) => [`T${client}`, tokenOf(client)]),
  );
  const clients = Object.fromEntries(
    Array.from({ length: CLIENTS }, (_, client) => [
      `c${client}`,
      { auth: { ref: `env:T${client}` } },
    ]),
  );
  const block = { instanceId: 'home', publicUrl: 'https://svc.example.com', clients };
  const lists = new Map<string, readonly McpTool[]>();
  const toolset: McpToolset = {
    list({ clientId }) {
      const list = lists.get(clientId) ?? [
        { name: 'whoami', description: `Tool of ${clientId}`, inputSchema: { type: 'object' } },
      ];
      lists.set(clientId, list);
      return list;
    },
    async call({ clientId }, _name, { n }) {
      // Later ones overtake earlier ones.
      for (let round = Number(n) % 7; round > 0; round -= 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      return textAnswer(`${clientId} ${n}`);
    },
  };
  const served = await serve({ toolset, config: parseManagementConfig(block, env, {}).config });
  const lanes = Array.from({ length: 60 }, async (_, lane) => {
    const one = talk(served.port);
    for (let round = 0; round < 12; round += 1) {
      const n = lane * 12 + round;
      const client = (n * 7) % CLIENTS;
      const modern = n % 3 === 0;
      const isList = n % 4 === 0;
      const method = isList ? 'tools/list' : 'tools/call';
      const params = isList ? {} : { name: 'whoami', arguments: { n } };
      const { body } = await asks(one, request(method, params, n, client, modern));
      const [event] = eventsOf(body) as { id: number; result: object }[];
      expect(event?.id).toBe(n);
      expect(event?.result).toMatchObject(
        isList
          ? { tools: [{ description: `Tool of c${client}` }] }
          : { content: [{ text: `c${client} ${n}` }] },
      );
    }
    one.end();
    return 12;
  });
  expect((await Promise.all(lanes)).reduce((sum, count) => sum + count, 0)).toBe(720);
  await served.close();
});

it('a list is requested every time, and serialized once per array', async () => {
  let serialised = 0;
  let listed = 0;
  const schema = {
    toJSON() {
      serialised += 1;
      return { type: 'object' };
    },
  };
  const tools = [{ name: 'one', description: 'One', inputSchema: schema }];
  let current: readonly McpTool[] = tools;
  const toolset: McpToolset = {
    list() {
      listed += 1;
      return current;
    },
    call: async () => null,
  };
  const served = await serve({ toolset });
  for (let n = 0; n < 5; n += 1) await ask(served.port, post(rpc('tools/list')));
  expect([listed, serialised]).toEqual([5, 1]);
  current = [...tools, { name: 'two', description: 'Two', inputSchema: schema }];
  const { body } = await ask(served.port, post(rpc('tools/list')));
  expect(eventsOf(body)).toMatchObject([{ result: { tools: [{ name: 'one' }, { name: 'two' }] } }]);
  await served.close();
});

it('a new configuration applies to every request whose body has not arrived yet', async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = async ({ principal }: Call): Promise<McpAnswer> => {
    await gate;
    return textAnswer(principal.clientId);
  };
  const toolset = createToolset({ slow });
  const served = await serve({ toolset });
  const running = ask(served.port, post(rpc('tools/call', { name: 'slow' })));
  const reading = talk(served.port);
  const late = post(rpc('tools/call', { name: 'echo' }));
  reading.send(late.subarray(0, -1));
  await until(() => toolset.calls.length === 1);
  // When a following request has its response, the second request has passed the gate as well.
  await ask(served.port, post(rpc('ping')));
  served.surface.configure(null);
  expect((await ask(served.port, post(rpc('ping')))).status).toBe(404);
  const moved = configOf({ publicUrl: 'https://other.example.com/there' });
  served.surface.configure(moved);
  expect((await ask(served.port, post(rpc('ping'), { path: '/there/mcp' }))).status).toBe(200);
  const page = post(rpc('ping'), { headers: { Origin: 'https://svc.example.com' } });
  expect((await ask(served.port, page)).status).toBe(403);
  served.surface.configure(null);
  open();
  reading.send(late.subarray(-1));
  expect(eventsOf((await running).body)).toMatchObject([
    { result: { content: [{ text: 'ada' }] } },
  ]);
  // Its token was revoked before its body arrived.
  expect((await reading.answer()).status).toBe(404);
  reading.end();
  await served.close();
});

it('a slow reader delays progress instead of filling the memory', async () => {
  const steps: number[] = [];
  const flood = async ({ options }: Call): Promise<McpAnswer> => {
    for (let step = 0; step < 200; step += 1) {
      steps.push(step);
      await options.progress?.(step, 200);
    }
    return textAnswer('x'.repeat(1_000_000));
  };
  const token = 'p'.repeat(100_000);
  const served = await serve({ toolset: createToolset({ flood }) });
  const one = talk(served.port);
  one.socket.removeAllListeners('data');
  one.socket.pause();
  one.send(post(rpc('tools/call', { name: 'flood', _meta: { progressToken: token } })));
  let seen = -1;
  await until(async () => {
    if (steps.length > 0 && steps.length === seen) return true;
    seen = steps.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return false;
  });
  expect(steps.length).toBeLessThan(200);
  let received = 0;
  let tail = '';
  one.socket.on('data', (text: string) => {
    received += text.length;
    tail = (tail + text).slice(-5);
  });
  one.socket.resume();
  await until(() => tail === '0\r\n\r\n');
  expect(steps.length).toBe(200);
  expect(received).toBeGreaterThan(200 * token.length);
  one.end();
  await served.close();
});
