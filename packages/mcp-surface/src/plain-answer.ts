import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@svc/core';
import type { MessageId } from './messages.ts';

/** One HTTP exchange. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** True if the client waits for 100 Continue before it sends its body. */
  readonly expectsContinue: boolean;
}

/** A response other than an event stream. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// Up to this size, Node may drain the rest of a body itself.
const SMALL_BYTES = 64 * 1024;
const DRAIN_BYTES = 1024 * 1024;
const DRAIN_MS = 2000;
const JSON_HEADERS = { 'Content-Type': 'application/json' };

/** A JSON response. */
export function jsonAnswer(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
}

/** A JSON-RPC error as an HTTP response. */
export function rpcAnswer(
  status: number,
  code: number,
  message: string,
  options: { id?: MessageId; headers?: Readonly<Record<string, string>> } = {},
): PlainAnswer {
  const body = { jsonrpc: '2.0', error: { code, message }, id: options.id ?? null };
  return jsonAnswer(status, body, options.headers);
}

/**
 * Writes a response to a request whose body may be unread. A small body is drained, so that the connection can be
 * reused. A large one is drained only as long as needed for the client to receive the response.
 */
export function writeAnswer(exchange: HttpExchange, { status, headers, body }: PlainAnswer): void {
  const { request, response } = exchange;
  if (response.destroyed || response.headersSent) return;
  const unread = unreadBytes(request);
  const length = Buffer.byteLength(body);
  // If a body of known length will not be read completely, the connection cannot be reused.
  const close = unread > DRAIN_BYTES && unread !== Number.POSITIVE_INFINITY;
  const all = {
    ...headers,
    ...(status === 204 ? {} : { 'Content-Length': length }),
    ...(close ? { Connection: 'close' } : {}),
  };
  response.writeHead(status, all);
  if (unread === 0 || (unread <= SMALL_BYTES && !request.readableFlowing)) {
    response.end(body);
    return;
  }
  response.flushHeaders();
  if (length > 0) response.write(body);
  drain(exchange);
}

function unreadBytes(request: IncomingMessage): number {
  if (request.complete) return 0;
  if (request.headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(request.headers['content-length'] ?? 0);
}

// The response ends after the request. Ending it at once would close the socket under a client that still sends,
// and the reset can make it lose the response (RFC 9112, 9.6).
function drain({ request, response, clock }: HttpExchange): void {
  let left = DRAIN_BYTES;
  const end = (): void => {
    clock.clearTimeout(timer);
    if (!response.writableEnded) response.end();
  };
  const giveUp = (): void => {
    if (response.writableEnded) return;
    end();
    request.socket.destroySoon();
  };
  const timer = clock.setTimeout(giveUp, DRAIN_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) giveUp();
  });
  request.on('end', end);
  request.on('close', end);
  // A client that disconnects ends the drain as well.
  request.on('error', end);
  request.resume();
}
