import { isRecord, messageOf } from '@svc/core';
import { type Fields, fieldsOf, textOf } from './json.ts';

/** An error response of the peer. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** The agent did or lacks something that ends the turn. The message is one sentence. */
export class AgentError extends Error {}

/** Dependencies of a connection. */
export interface RpcPorts {
  /** Writes one line. */
  send(line: string): void;
  /** Handles a request of the peer. Returns undefined for an unknown method. */
  onRequest(method: string, params: Fields): Promise<object> | undefined;
  /** Handles a notification. */
  onNotification(method: string, params: Fields): void;
  /** Handles a line that is not a message. */
  onInvalidLine(line: string): void;
}

/** JSON-RPC 2.0 with a peer, one message per line. */
export interface RpcConnection {
  /** Handles a line that the peer sent. */
  receive(line: string): void;
  /** Calls a method. Throws an `RpcError` for an error response. Never settles without a response. */
  request(method: string, params: object): Promise<Fields>;
  notify(method: string, params: object): void;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

interface PendingRequest {
  resolve(result: Fields): void;
  reject(error: RpcError): void;
}

export function createRpcConnection(ports: RpcPorts): RpcConnection {
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  const send = (message: object): void =>
    ports.send(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const settle = (id: unknown, message: Fields): void => {
    const request = typeof id === 'number' ? pending.get(id) : undefined;
    if (typeof id !== 'number' || request === undefined) return;
    pending.delete(id);
    const error = message['error'];
    if (isRecord(error)) request.reject(errorOf(error));
    else request.resolve(fieldsOf(message['result']));
  };
  const respond = async (id: unknown, method: string, params: Fields): Promise<void> => {
    try {
      const result = await ports.onRequest(method, params);
      const missing = { code: METHOD_NOT_FOUND, message: `Method not found: ${method}.` };
      send(result === undefined ? { id, error: missing } : { id, result });
    } catch (error) {
      send({ id, error: { code: INTERNAL_ERROR, message: messageOf(error) } });
    }
  };
  return {
    receive(line) {
      const message = messageIn(line);
      if (message === null) return ports.onInvalidLine(line);
      const { id, method, params } = message;
      if (typeof method !== 'string') return settle(id, message);
      if (id === undefined) return ports.onNotification(method, fieldsOf(params));
      void respond(id, method, fieldsOf(params));
    },
    request(method, params) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
    notify: (method, params) => send({ method, params }),
  };
}

function messageIn(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = isRecord(value) && ('method' in value || 'id' in value);
    return isMessage ? value : null;
  } catch {
    return null;
  }
}

function errorOf({ code, message, data }: Fields): RpcError {
  const text = textOf(message) ?? 'an error without a message';
  const detail =
    textOf(data) ?? textOf(fieldsOf(data)['details']) ?? textOf(fieldsOf(data)['message']);
  const full = detail === null || text.includes(detail) ? text : `${text}: ${detail}`;
  return new RpcError(typeof code === 'number' ? code : 0, full);
}
