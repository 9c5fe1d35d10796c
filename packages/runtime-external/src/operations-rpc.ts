import type { ToolsetTool } from '@svc/agent-runtime';
import { isDeeperThan, isRecord, MOST_JSON_LEVELS } from '@svc/core';

/** Calls an operation by its bare name. `disconnected` aborts when the client closes the request. */
export type OperationsCall = (
  name: string,
  args: unknown,
  disconnected: AbortSignal,
) => Promise<{ readonly text: string; readonly isError: boolean }>;

/** Operations, by their bare names. */
export interface OperationsPort {
  readonly tools: readonly ToolsetTool[];
  readonly call: OperationsCall;
}

/** An HTTP status and body. */
export interface RpcResponse {
  readonly status: number;
  readonly body: object | null;
}

const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const SERVER = { name: 'svc_manage', title: 'svc', version: '1' };

type Fields = Readonly<Record<string, unknown>>;

/** Handles one MCP message (revisions up to 2025-11-25) without state. */
export async function handleMessage(
  operations: OperationsPort,
  body: string,
  disconnected: AbortSignal,
): Promise<RpcResponse> {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return errorResponse(400, null, PARSE_ERROR, 'The body is not JSON.');
  }
  if (isDeeperThan(message, MOST_JSON_LEVELS)) {
    const problem = `The body nests more than ${MOST_JSON_LEVELS} levels deep.`;
    return errorResponse(400, null, INVALID_REQUEST, problem);
  }
  if (!isRecord(message) || message['jsonrpc'] !== '2.0') {
    return errorResponse(400, null, INVALID_REQUEST, 'The body must be one JSON-RPC 2.0 message.');
  }
  const { id, method, params } = message;
  const isRequest = typeof id === 'string' || typeof id === 'number';
  // Notifications and responses get no response.
  if (!isRequest || typeof method !== 'string') return { status: 202, body: null };
  return handleRequest(operations, id, method, isRecord(params) ? params : {}, disconnected);
}

async function handleRequest(
  operations: OperationsPort,
  id: string | number,
  method: string,
  params: Fields,
  disconnected: AbortSignal,
): Promise<RpcResponse> {
  const done = (result: object): RpcResponse => ({
    status: 200,
    body: { jsonrpc: '2.0', id, result },
  });
  switch (method) {
    case 'initialize':
      return done({
        protocolVersion: revisionFor(params['protocolVersion']),
        capabilities: { tools: {} },
        serverInfo: SERVER,
      });
    case 'ping':
      return done({});
    case 'tools/list':
      return done({ tools: operations.tools });
    case 'tools/call': {
      const { name, arguments: args = {} } = params;
      if (typeof name !== 'string' || !isRecord(args)) {
        const problem = 'tools/call needs `name` as a string and `arguments` as an object.';
        return errorResponse(200, id, INVALID_PARAMS, problem);
      }
      const { text, isError } = await operations.call(name, args, disconnected);
      return done({ content: [{ type: 'text', text }], isError });
    }
    default:
      return errorResponse(200, id, METHOD_NOT_FOUND, `Method not found: ${method}.`);
  }
}

function revisionFor(requested: unknown): string {
  return REVISIONS.find((revision) => revision === requested) ?? REVISIONS[0];
}

function errorResponse(
  status: number,
  id: string | number | null,
  code: number,
  message: string,
): RpcResponse {
  return { status, body: { jsonrpc: '2.0', id, error: { code, message } } };
}
