import type { IncomingMessage } from 'node:http';
import { type Clock, createSystemClock } from '@svc/core';
import { createMemoryLogger, type MemoryLogger } from '@svc/core/testing';
import {
  createMcpSurface,
  type McpAnswer,
  type McpCallOptions,
  type McpSurface,
  type McpSurfaceOptions,
  type McpTool,
  type McpToolset,
} from '@svc/mcp-surface';
import { type ManagementConfig, type Principal, parseManagementConfig } from '@svc/mgmt-auth';
import { listen, type Talk } from './wire.ts';

/** Tokens of the configured clients, by client id. */
export const TOKENS = {
  ada: 'tok_home_0123456789abcdefada',
  bob: 'tok_home_0123456789abcdefbob',
} as const;

/** A configuration with two clients. */
export function configOf(block: Readonly<Record<string, unknown>> = {}): ManagementConfig {
  const clients = { ada: { auth: { ref: 'env:ADA' } }, bob: { auth: { ref: 'env:BOB' } } };
  const whole = { instanceId: 'home', publicUrl: 'https://svc.example.com', clients, ...block };
  const { config } = parseManagementConfig(whole, { ADA: TOKENS.ada, BOB: TOKENS.bob }, {});
  if (config === null) throw new Error('the configuration of the fixture is wrong');
  return config;
}

/** One call of a toolset. */
export interface Call {
  readonly principal: Principal;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: McpCallOptions;
}

/** A toolset that records its calls. `echo` returns the caller and the arguments; other tools are given. */
export function createToolset(
  more: Readonly<Record<string, (call: Call) => Promise<McpAnswer>>> = {},
): McpToolset & { readonly calls: Call[]; readonly tools: readonly McpTool[] } {
  const calls: Call[] = [];
  const echo = async ({ principal, args }: Call): Promise<McpAnswer> =>
    textAnswer(JSON.stringify({ by: principal.clientId, args }));
  const handlers = new Map(Object.entries({ echo, ...more }));
  const tools = [...handlers.keys()].map((name) => ({
    name,
    title: `Tool ${name}`,
    description: 'Says what it got – ünd more.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  }));
  return {
    calls,
    tools,
    list: () => tools,
    async call(principal, name, args, options) {
      const call = { principal, name, args, options };
      calls.push(call);
      return (await handlers.get(name)?.(call)) ?? null;
    },
  };
}

/** A result of one text. */
export function textAnswer(text: string): McpAnswer {
  return { content: [{ type: 'text', text }] };
}

/** A surface on a port. */
export interface Served {
  readonly surface: McpSurface;
  readonly port: number;
  readonly logger: MemoryLogger;
  /** Connections that the server has now. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Options of a served surface. */
export interface ServeOptions {
  readonly toolset?: McpToolset | null;
  readonly toolsetOf?: () => McpToolset | null;
  readonly config?: ManagementConfig | null;
  readonly clock?: Clock;
  readonly options?: Partial<McpSurfaceOptions>;
  /** Changes requests before the surface sees them. */
  readonly before?: (request: IncomingMessage) => void;
}

/** Serves a surface on a bare HTTP server whose other paths answer 404 with the text `host`. */
export async function serve(given: ServeOptions = {}): Promise<Served> {
  const { toolset = createToolset(), config = configOf(), clock = createSystemClock() } = given;
  const logger = createMemoryLogger();
  const surface = createMcpSurface(
    { toolset: given.toolsetOf ?? (() => toolset), logger, clock },
    { name: 'svc', version: '1.2.3', ...given.options },
    config,
  );
  const { port, server, close } = await listen((request, response) => {
    given.before?.(request);
    if (!surface.handle(request, response)) response.writeHead(404).end('host');
  });
  server.on('checkContinue', (request, response) => {
    if (!surface.handle(request, response, { expectsContinue: true })) response.end();
  });
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  return { surface, port, logger, connections, close };
}

/** How a request differs from the usual POST; a header that is null is omitted, a list is sent repeatedly. */
export interface PostOptions {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
}

/** The bytes of a request. */
export function post(body: string | Uint8Array | object, options: PostOptions = {}): Buffer {
  const { method = 'POST', path = '/mcp', token = TOKENS.ada } = options;
  const isBytes = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = Buffer.from(isBytes ? body : JSON.stringify(body));
  const headers: Record<string, string | readonly string[] | null> = {
    Host: 'svc.example.com',
    Authorization: token === null ? null : `Bearer ${token}`,
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Content-Length': String(bytes.length),
    ...options.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}\r\n`),
  );
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}

/** A request of JSON-RPC. */
export function rpc(method: string, params?: object, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

/** The messages of an event stream without comments. */
export function eventsOf(body: string): Record<string, unknown>[] {
  return body
    .split('\n\n')
    .filter((event) => event !== '' && !event.startsWith(':'))
    .map((event) => {
      const [, json = ''] = /^event: message\ndata: (.*)$/.exec(event) ?? [];
      return JSON.parse(json) as Record<string, unknown>;
    });
}

/** Waits until a condition is true; the time limit of the test ends a wait that never succeeds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

/** Sends a request on an open connection and reads the response. */
export async function asks(one: Talk, request: Uint8Array): ReturnType<Talk['answer']> {
  one.send(request);
  return one.answer();
}
