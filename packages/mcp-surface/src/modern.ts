import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type {
  McpHttpHandler,
  McpRequestContext,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { type Clock, isRecord, messageOf } from '@svc/core';
import type { ActiveRequest } from './active-request.ts';
import type { FamilyOptions } from './classic.ts';
import { EventStream, frameOf } from './event-stream.ts';
import type { Message } from './messages.ts';
import { type HttpExchange, rpcAnswer, writeAnswer } from './plain-answer.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, SERVER_ERROR } from './protocol-error.ts';
import { relayEvents } from './relay-events.ts';
import { callProblem, callTool, listTools, serializable, type ToolCaller } from './tool-caller.ts';
import type { McpCallOptions } from './toolset.ts';

/** A request or a notification. */
export type CallMessage = Extract<Message, { kind: 'request' | 'notification' }>;

/** Handles one message of revision 2026-07-28. */
export type ModernServing = (
  caller: ToolCaller,
  message: CallMessage,
  exchange: HttpExchange,
) => ActiveRequest;

type Library = typeof import('@modelcontextprotocol/server');

const FIRST_REVISION = '2026-07-28';
const CLAIM = 'io.modelcontextprotocol/protocolVersion';
const LIST_TTL_MS = 60_000;

/** True if a message declares revision 2026-07-28 or later, by its envelope or by the header. */
export function isModern(message: CallMessage, headers: IncomingHttpHeaders): boolean {
  const header = headers['mcp-protocol-version'];
  const named = typeof header === 'string' && isModernRevision(header.trim());
  const meta = message.params?.['_meta'];
  if (!isRecord(meta) || !Object.hasOwn(meta, CLAIM)) return named;
  // A handshake belongs to the older family, unless it declares the newer one, which then refuses it.
  return message.method !== 'initialize' || named || isModernRevision(meta[CLAIM]);
}

/** Serves revision 2026-07-28; its library is loaded with the first request that needs it. */
export function createModernServing(clock: Clock, options: FamilyOptions): ModernServing {
  let handler: Promise<McpHttpHandler> | null = null;
  const load = async (): Promise<McpHttpHandler> => {
    try {
      return createHandler(await import('@modelcontextprotocol/server'), options);
    } catch (error) {
      handler = null;
      throw error;
    }
  };
  return (caller, message, exchange) => {
    const abort = new AbortController();
    const { request, response } = exchange;
    const stream = new EventStream(response, clock, options.keepAliveMs);
    handler ??= load();
    const serve = async (loaded: Promise<McpHttpHandler>): Promise<void> => {
      const authInfo = {
        token: '',
        clientId: caller.principal.clientId,
        scopes: [],
        extra: { caller, stream },
      };
      const answer = await (await loaded).fetch(webRequest(request, abort.signal), {
        parsedBody: message.json,
        authInfo,
      });
      await writeResponse(answer, exchange, stream, faultOf(message));
    };
    serve(handler).catch((error: unknown) => {
      if (abort.signal.aborted) return;
      caller.logger.error({ error: messageOf(error) }, 'MCP request could not be answered');
      stream.abandon();
      if (response.headersSent) response.destroy();
      else writeAnswer(exchange, rpcAnswer(500, INTERNAL_ERROR, 'Internal error'));
    });
    return {
      gone() {
        stream.abandon();
        abort.abort();
      },
      stop() {
        const id = message.kind === 'request' ? message.id : null;
        const error = { code: SERVER_ERROR, message: 'The server is closing' };
        stream.end(frameOf(JSON.stringify({ jsonrpc: '2.0', id, error })));
        abort.abort();
      },
    };
  };
}

function isModernRevision(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && value >= FIRST_REVISION;
}

function createHandler(library: Library, options: FamilyOptions): McpHttpHandler {
  const factory = (context: McpRequestContext): Server => createServer(library, options, context);
  return library.createMcpHandler(factory, {
    legacy: 'reject',
    responseMode: 'sse',
    // Comments are written by the stream of this package, with its clock.
    keepAliveMs: 0,
  });
}

function createServer(
  library: Library,
  options: FamilyOptions,
  context: McpRequestContext,
): Server {
  const { name, version, instructions } = options;
  const { caller, stream } = { ...context.authInfo?.extra } as {
    caller: ToolCaller;
    stream: EventStream;
  };
  const server = new library.Server(
    { name, version },
    {
      capabilities: { tools: {} },
      ...(instructions === undefined ? {} : { instructions }),
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    },
  );
  server.setRequestHandler('tools/list', ({ params }) => listTools(caller, params) as never);
  server.setRequestHandler('tools/call', async ({ params }, call) => {
    stream.keepAlive();
    const progress = progressOf(call, stream);
    const answer = await callTool(caller, params, { signal: call.mcpReq.signal, progress });
    return serializable(caller, answer) as never;
  });
  return server;
}

function progressOf(call: ServerContext, stream: EventStream): McpCallOptions['progress'] {
  const progressToken = call.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return async (progress, total) => {
    if (stream.ended || call.mcpReq.signal.aborted) return;
    const params = { progressToken, progress, ...(total === undefined ? {} : { total }) };
    await call.mcpReq.notify({ method: 'notifications/progress', params });
  };
}

// Only the headers of the protocol are passed on: neither the token nor a cookie.
function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith('mcp-') && typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers, signal });
}

// The library would refuse such a call itself, with a message that is hard to read.
function faultOf(message: CallMessage): object | null {
  if (message.kind !== 'request' || message.method !== 'tools/call') return null;
  const problem = callProblem(message.params);
  if (problem === null) return null;
  return { jsonrpc: '2.0', id: message.id, error: { code: INVALID_PARAMS, message: problem } };
}

async function writeResponse(
  answer: Response,
  exchange: HttpExchange,
  stream: EventStream,
  fault: object | null,
): Promise<void> {
  if (answer.status === 200 && answer.body !== null && fault !== null) {
    await answer.body.cancel();
    stream.end(frameOf(JSON.stringify(fault)));
    return;
  }
  if (answer.status === 200 && answer.body !== null) {
    await relayEvents(answer.body, stream);
    return;
  }
  stream.abandon();
  const type = answer.headers.get('content-type');
  const body = await answer.text();
  const headers = type === null ? {} : { 'Content-Type': type };
  writeAnswer(exchange, { status: answer.status, headers, body });
}
