import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createSystemClock } from '@svc/core';
import { createMemoryLogger } from '@svc/core/testing';
import { createMcpSurface, type McpAnswer } from '@svc/mcp-surface';
import express from 'express';
import { type Call, configOf, createToolset, post, rpc, TOKENS, textAnswer } from './fixture.ts';
import { ask, listen } from './wire.ts';

const INFO = { name: 'test', version: '1' };
const requestInit = { headers: { Authorization: `Bearer ${TOKENS.ada}` } };

const steps = async ({ options }: Call): Promise<McpAnswer> => {
  await options.progress?.(1, 1);
  return textAnswer('stepped');
};

/** Hosts the surface like an application, and records the requests. */
async function host(kind: string) {
  const surface = createMcpSurface(
    {
      toolset: () => createToolset({ steps }),
      logger: createMemoryLogger(),
      clock: createSystemClock(),
    },
    { name: 'svc', version: '1.2.3' },
    configOf({ publicUrl: 'http://localhost:8080' }),
  );
  const asked: string[] = [];
  if (kind === 'node:http') {
    return {
      asked,
      ...(await listen((request, response) => {
        asked.push(request.method ?? '');
        if (!surface.handle(request, response)) response.writeHead(404).end();
      })),
    };
  }
  const app = express();
  app.use((request, _response, next) => {
    asked.push(request.method);
    next();
  });
  app.use(surface.middleware);
  app.use(express.json());
  app.get('/*path', (_request, response) => void response.send('<html>the page</html>'));
  return { asked, ...(await listen(app)) };
}

describe.each(['node:http', 'express'])('on %s', (kind) => {
  let stop: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const one of stop) await one();
    stop = [];
  });
  const start = async () => {
    const { port, asked, close } = await host(kind);
    stop.push(close);
    return { asked, port, url: new URL(`http://127.0.0.1:${port}/mcp`) };
  };

  it('a client of the older family lists and calls', async () => {
    const { url } = await start();
    const client = new Client(INFO);
    stop.unshift(() => client.close());
    // The library's own types disagree under exact optional properties.
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as Transport);
    expect(client.getServerVersion()).toMatchObject({ name: 'svc', version: '1.2.3' });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'steps']);
    const answer = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
    expect(answer).toMatchObject({ content: [{ text: '{"by":"ada","args":{"text":"hi"}}' }] });
    const progress: number[] = [];
    const onprogress = (step: { progress: number }): void => void progress.push(step.progress);
    await client.callTool({ name: 'steps' }, undefined, { onprogress });
    expect(progress).toEqual([1]);
    const unknown = await client.callTool({ name: 'nope' });
    expect(unknown).toMatchObject({ isError: true, content: [{ text: 'Unknown tool: nope' }] });
    await expect(client.listResources()).rejects.toThrow(/resources|-32601/);
  });

  it.each([
    ['looks for it', { mode: 'auto' }],
    ['insists on it', { mode: { pin: '2026-07-28' } }],
  ] as const)(
    'a client of the newer family that %s lists and calls',
    async (_name, versionNegotiation) => {
      const { url, asked } = await start();
      const client = new ModernClient(INFO, { versionNegotiation });
      stop.unshift(() => client.close());
      await client.connect(new ModernTransport(url, { requestInit }));
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'steps']);
      const answer = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
      expect(answer).toMatchObject({ content: [{ text: '{"by":"ada","args":{"text":"hi"}}' }] });
      const progress: number[] = [];
      await client.callTool(
        { name: 'steps' },
        { onprogress: (step) => void progress.push(step.progress) },
      );
      expect(progress).toEqual([1]);
      const unknown = await client.callTool({ name: 'nope' });
      expect(unknown).toMatchObject({ isError: true, content: [{ text: 'Unknown tool: nope' }] });
      expect(new Set(asked)).toEqual(new Set(['POST']));
    },
  );

  it('a client without a token gets 401', async () => {
    const { url } = await start();
    const client = new Client(INFO);
    const transport = new StreamableHTTPClientTransport(url) as Transport;
    await expect(client.connect(transport)).rejects.toMatchObject({ code: 401 });
  });

  it('other paths are left to the application, and the endpoint never reaches it', async () => {
    const { port } = await start();
    const get = async (path: string) => ask(port, post('', { path, method: 'GET' }));
    expect((await get('/mcp')).status).toBe(405);
    expect((await get('/mcp/page')).body).toBe('{"error":"not found"}');
    expect((await get('/.well-known/security.txt')).body).toBe('{"error":"not found"}');
    const other = await get('/MCP');
    expect(other.body).toBe(kind === 'express' ? '<html>the page</html>' : '');
    const broken = await ask(port, post('{'));
    expect(broken).toMatchObject({ status: 400, body: expect.stringContaining('-32700') });
    expect((await ask(port, post(rpc('ping')))).status).toBe(200);
  });
});
