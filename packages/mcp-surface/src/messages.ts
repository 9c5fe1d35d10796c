import { isUtf8 } from 'node:buffer';
import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { isDeeperThan, isRecord, MOST_JSON_LEVELS } from '@svc/core';

/** The id of a JSON-RPC request; null if it could not be read. */
export type MessageId = string | number | null;

/** A request, which needs a response. */
export interface RequestMessage {
  readonly kind: 'request';
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly json: JSONRPCRequest;
}

/** The content of a body. */
export type Message =
  | RequestMessage
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>> | undefined;
      readonly json: object;
    }
  | { readonly kind: 'response' }
  | {
      readonly kind: 'invalid';
      readonly code: number;
      readonly problem: string;
      readonly id: MessageId;
    };

type Fields = Readonly<Record<string, unknown>>;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const REQUEST_KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const RESPONSE_KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result', 'error']);
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** Parses one JSON-RPC 2.0 message, as strictly as the schemas of the protocol. */
export function parseMessage(body: Buffer): Message {
  if (!isUtf8(body)) return invalid(PARSE_ERROR, 'Parse error: the body is not UTF-8', null);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // The message of the parser would quote the body.
    return invalid(PARSE_ERROR, 'Parse error: the body is not JSON', null);
  }
  if (Array.isArray(value)) {
    return invalid(INVALID_REQUEST, 'Invalid Request: batches are not supported', null);
  }
  if (!isRecord(value)) {
    return invalid(INVALID_REQUEST, 'Invalid Request: the body must be a JSON-RPC message', null);
  }
  const id = idOf(value);
  const problem = isDeeperThan(value, MOST_JSON_LEVELS) ? TOO_DEEP : problemOf(value);
  if (problem !== null) return invalid(INVALID_REQUEST, `Invalid Request: ${problem}`, id);
  return messageOf(value, id);
}

const TOO_DEEP = `the body nests more than ${MOST_JSON_LEVELS} levels deep`;

function messageOf(value: Fields, id: MessageId): Message {
  const { method, params } = value as { method?: string; params?: Fields };
  if (method === undefined) return { kind: 'response' };
  if (id === null) return { kind: 'notification', method, params, json: value };
  return { kind: 'request', id, method, params, json: value as unknown as JSONRPCRequest };
}

function problemOf(value: Fields): string | null {
  if (value['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0"';
  const isCall = Object.hasOwn(value, 'method');
  const known = isCall ? REQUEST_KEYS : RESPONSE_KEYS;
  for (const key of Object.keys(value)) {
    if (!known.has(key)) return 'there is a field that JSON-RPC does not know';
  }
  if (Object.hasOwn(value, 'id') && idOf(value) === null)
    return 'id must be a string or an integer';
  return isCall ? callProblem(value) : responseProblem(value);
}

function callProblem({ method, params }: Fields): string | null {
  if (typeof method !== 'string') return 'method must be a string';
  if (params === undefined) return null;
  if (!isRecord(params)) return 'params must be an object';
  const meta = params['_meta'];
  if (meta === undefined) return null;
  if (!isRecord(meta)) return 'params._meta must be an object';
  const token = meta['progressToken'];
  if (token !== undefined && !isId(token)) {
    return 'params._meta.progressToken must be a string or an integer';
  }
  const related = meta[RELATED_TASK];
  if (related === undefined) return null;
  const isNamed = isRecord(related) && typeof related['taskId'] === 'string';
  return isNamed ? null : `params._meta["${RELATED_TASK}"] must hold a taskId`;
}

function responseProblem(value: Fields): string | null {
  const { result, error } = value;
  if (Object.hasOwn(value, 'result') === Object.hasOwn(value, 'error')) {
    return 'there must be a method, a result or an error';
  }
  if (error === undefined) {
    if (idOf(value) === null) return 'a result must have an id';
    return isRecord(result) ? null : 'result must be an object';
  }
  const isError =
    isRecord(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
  return isError ? null : 'error must have a code and a message';
}

function idOf(value: Fields): MessageId {
  const id = value['id'];
  return isId(id) ? id : null;
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function invalid(code: number, problem: string, id: MessageId): Message {
  return { kind: 'invalid', code, problem, id };
}
