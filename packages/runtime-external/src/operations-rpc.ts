import type { ToolsetTool } from '@svc/agent-runtime';
import { isDeeperThan, isRecord, MOST_JSON_LEVELS } from '@svc/core';

/** Calls an operation by its bare name. `gone` aborts when nobody waits for the answer any more. */
export type OperationsCall = (
  name: string,
  args: unknown,
  gone: AbortSignal,
) => Promise<{ readonly text: string; readonly isError: boolean }>;

/** Operations under their bare names. */
export interface OperationsPort {
  readonly tools: readonly ToolsetTool[];
  readonly call: OperationsCall;
}

/** What comes of one message: a status, and a body where there is one. */
export interface RpcAnswer {
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

/** Answers one MCP message (revisions up to 2025-11-25) without any state. */
export async function answerMessage(
  operations: OperationsPort,
  body: string,
  gone: AbortSignal,
): Promise<RpcAnswer> {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return refusal(400, null, PARSE_ERROR, 'The body is not JSON.');
  }
  if (isDeeperThan(message, MOST_JSON_LEVELS)) {
    const problem = `The body nests more than ${MOST_JSON_LEVELS} levels deep.`;
    return refusal(400, null, INVALID_REQUEST, problem);
  }
  if (!isRecord(message) || message['jsonrpc'] !== '2.0') {
    return refusal(400, null, INVALID_REQUEST, 'The body must be one JSON-RPC 2.0 message.');
  }
  const { id, method, params } = message;
  const isRequest = typeof id === 'string' || typeof id === 'number';
  // Notifications and answers want none.
  if (!isRequest || typeof method !== 'string') return { status: 202, body: null };
  return answerRequest(operations, id, method, isRecord(params) ? params : {}, gone);
}

async function answerRequest(
  operations: OperationsPort,
  id: string | number,
  method: string,
  params: Fields,
  gone: AbortSignal,
): Promise<RpcAnswer> {
  const done = (result: object): RpcAnswer => ({
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
        const words = 'tools/call needs the name of a tool, and its arguments as an object.';
        return refusal(200, id, INVALID_PARAMS, words);
      }
      const { text, isError } = await operations.call(name, args, gone);
      return done({ content: [{ type: 'text', text }], isError });
    }
    default:
      return refusal(200, id, METHOD_NOT_FOUND, `There is no method ${method}.`);
  }
}

function revisionFor(wanted: unknown): string {
  return REVISIONS.find((revision) => revision === wanted) ?? REVISIONS[0];
}

function refusal(
  status: number,
  id: string | number | null,
  code: number,
  message: string,
): RpcAnswer {
  return { status, body: { jsonrpc: '2.0', id, error: { code, message } } };
}
