import { isRecord, messageOf } from '@svc/core';
import { type Fields, fieldsOf, textOf } from './json.ts';

/** An error that the other side answered with. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** What a connection works with. */
export interface ConnectionPorts {
  /** Writes one line. */
  send(line: string): void;
  /** Answers a request of the other side; undefined where there is no such method. */
  answer(method: string, params: Fields): Promise<object> | undefined;
  /** Takes a notification. */
  notice(method: string, params: Fields): void;
  /** Takes a line that is no message. */
  garbage(line: string): void;
}

/** JSON-RPC 2.0 with one other side, a message a line. */
export interface Connection {
  /** Takes a line of the other side. */
  receive(line: string): void;
  /** The result of a method; throws an `RpcError`, or never ends where no answer comes. */
  request(method: string, params: object): Promise<Fields>;
  notify(method: string, params: object): void;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

interface Waiting {
  resolve(result: Fields): void;
  reject(error: RpcError): void;
}

/** Makes a connection. */
export function createConnection(ports: ConnectionPorts): Connection {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const send = (message: object): void =>
    ports.send(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const settle = (id: unknown, message: Fields): void => {
    const one = typeof id === 'number' ? waiting.get(id) : undefined;
    if (typeof id !== 'number' || one === undefined) return;
    waiting.delete(id);
    const error = message['error'];
    if (isRecord(error)) one.reject(errorOf(error));
    else one.resolve(fieldsOf(message['result']));
  };
  const serve = async (id: unknown, method: string, params: Fields): Promise<void> => {
    try {
      const result = await ports.answer(method, params);
      const missing = { code: METHOD_NOT_FOUND, message: `There is no method ${method}.` };
      send(result === undefined ? { id, error: missing } : { id, result });
    } catch (error) {
      send({ id, error: { code: INTERNAL_ERROR, message: messageOf(error) } });
    }
  };
  return {
    receive(line) {
      const message = messageIn(line);
      if (message === null) return ports.garbage(line);
      const { id, method, params } = message;
      if (typeof method !== 'string') return settle(id, message);
      if (id === undefined) return ports.notice(method, fieldsOf(params));
      void serve(id, method, fieldsOf(params));
    },
    request(method, params) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
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
  const words = textOf(message) ?? 'an error without words';
  const detail =
    textOf(data) ?? textOf(fieldsOf(data)['details']) ?? textOf(fieldsOf(data)['message']);
  const told = detail === null || words.includes(detail) ? words : `${words}: ${detail}`;
  return new RpcError(typeof code === 'number' ? code : 0, told);
}
