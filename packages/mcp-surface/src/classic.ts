import type { ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  InitializeRequestSchema,
  type JSONRPCRequest,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import type { Clock } from '@svc/core';
import type { ActiveRequest } from './active-request.ts';
import { EventStream } from './event-stream.ts';
import type { RequestMessage } from './messages.ts';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  ProtocolError,
} from './protocol-error.ts';
import { SingleRequestTransport } from './single-request-transport.ts';
import { callTool, listTools, type ToolCaller } from './tool-caller.ts';
import type { McpCallOptions } from './toolset.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Options of both protocol families. */
export interface FamilyOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly keepAliveMs: number;
}

/** Handles one request of the revisions that begin with `initialize`. */
export type ClassicServing = (
  caller: ToolCaller,
  message: RequestMessage,
  response: ServerResponse,
) => ActiveRequest;

/** The default compiles a validator for every server, but only elicitation, which is not supported, needs one. */
const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new ProtocolError(INTERNAL_ERROR, 'Elicitation is not supported');
  },
};

/** Serves the revisions up to 2025-11-25: a new server and transport for every request. */
export function createClassicServing(clock: Clock, options: FamilyOptions): ClassicServing {
  const info = { name: options.name, version: options.version };
  const serverOptions = {
    capabilities: { tools: {} },
    jsonSchemaValidator: noValidator,
    ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
  };
  return (caller, message, response) => {
    const stream = new EventStream(response, clock, options.keepAliveMs);
    const transport = new SingleRequestTransport(withoutTask(message), stream, caller);
    if (
      message.method === 'initialize' &&
      !InitializeRequestSchema.safeParse(message.json).success
    ) {
      const needs = 'initialize needs protocolVersion, capabilities and clientInfo';
      transport.fail(INVALID_PARAMS, needs);
      return transport;
    }
    const server = new Server(info, serverOptions);
    server.fallbackRequestHandler = async (request, extra) =>
      (await respond(caller, request, extra, stream)) as ServerResult;
    const fail = (): void => {
      if (stream.ended) return;
      caller.logger.error({ method: message.method }, 'MCP request could not be answered');
      transport.fail(INTERNAL_ERROR, 'The request could not be answered');
    };
    server.onerror = fail;
    server.connect(transport).catch(fail);
    return transport;
  };
}

// Servers without tasks must ignore the task field of a request (revision 2025-11-25, tasks).
function withoutTask({ json }: RequestMessage): JSONRPCRequest {
  if (json.params?.['task'] === undefined) return json;
  const { task: _, ...params } = json.params;
  return { ...json, params };
}

function respond(
  caller: ToolCaller,
  request: JSONRPCRequest,
  extra: Extra,
  stream: EventStream,
): object | Promise<object> {
  switch (request.method) {
    case 'tools/list':
      return listTools(caller, request.params);
    case 'tools/call':
      stream.keepAlive();
      return callTool(caller, request.params, {
        signal: extra.signal,
        progress: progressOf(request, extra, stream),
      });
    default:
      throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
  }
}

function progressOf(
  request: JSONRPCRequest,
  extra: Extra,
  stream: EventStream,
): McpCallOptions['progress'] {
  const progressToken = request.params?._meta?.progressToken;
  if (progressToken === undefined) return null;
  return async (progress, total) => {
    if (stream.ended) return;
    const params = { progressToken, progress, ...(total === undefined ? {} : { total }) };
    await extra.sendNotification({ method: 'notifications/progress', params });
  };
}
