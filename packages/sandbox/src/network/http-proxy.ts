import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import type { CloseClient } from './closing.ts';
import { answer, forward } from './http-forward.ts';
import { endToEnd, parseAuthority, parseTarget } from './http-head.ts';
import { sendError, sendHead } from './http-raw.ts';
import {
  ask,
  BAD_TARGET,
  hasBody,
  statusFault,
  statusOf,
  unanswered,
  upgradeHeaders,
} from './http-upstream.ts';
import { createPartFeeder } from './part-feeder.ts';
import type { OpenConnection } from './proxy-connection.ts';
import { splice } from './splice.ts';

/** Limits the time that a client takes to send the head of a request. */
export interface HeadTimer {
  /**
   * The head of a request was read.
   *
   * @returns How many requests of the client have no complete response.
   */
  stop(client: Duplex): number;
  /** The response to a request has ended. */
  restart(client: Duplex): void;
  /** Whether a request has no complete response. */
  isServing(client: Duplex): boolean;
}

/** What an HTTP proxy needs to serve its clients. */
export interface HttpProxyDeps {
  readonly open: OpenConnection;
  readonly close: CloseClient;
  readonly timer: HeadTimer;
}

const BAD_AUTHORITY = 'CONNECT needs a host and a port, such as `CONNECT example.org:443`.';
const BAD_UPGRADE = 'A request that upgrades the connection must not have a body.';
const TOO_LARGE = 'The head of the request is larger than 16 KiB.';
// Clients that send requests without waiting for responses send few of them.
const MAX_PIPELINED = 32;
const UNREADABLE = 'The request is not valid HTTP/1.1.';

/** Creates an HTTP proxy. Pass connections to it with `emit('connection', socket)`; it must not listen. */
export function createHttpProxy(deps: HttpProxyDeps): Server {
  const { close, timer } = deps;
  // A client that ends its side after a request still receives the response. The types do not have this property.
  // Without `maxHeadersCount`, Node drops headers above a number silently. `maxHeaderSize` limits them.
  const server = Object.assign(createServer({ requestTimeout: 0, headersTimeout: 0 }), {
    ...{ httpAllowHalfOpen: true, maxHeadersCount: 0 },
  });
  const feeder = createPartFeeder();
  server.on('connection', feeder.start);
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => {
    const client = request.socket;
    latest.set(client, response);
    response.once('close', () => timer.restart(client));
    if (timer.stop(client) > MAX_PIPELINED) client.destroy();
    else forward(deps.open, request, response).catch(() => client.destroy());
  });
  for (const [event, serve] of Object.entries({ connect: tunnel, upgrade })) {
    server.on(event, (request: IncomingMessage, client: Duplex, head: Buffer) => {
      giveBack(client, Buffer.concat([head, feeder.stop(client)]));
      // The response to an earlier request would be written into the new protocol.
      if (timer.stop(client) > 1) client.destroy();
      else serve(deps, request, client).catch(() => client.destroy());
    });
  }
  server.on('clientError', (error: NodeJS.ErrnoException, client) => {
    // Bytes after the last request of a connection are dropped.
    if (error.code === 'HPE_CLOSED_CONNECTION') return;
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const response = timer.isServing(client) ? latest.get(client) : undefined;
    if (response !== undefined) endInvalid(client, response);
    else if (isTooLarge) sendError(close, client, 431, TOO_LARGE);
    else sendError(close, client, 400, UNREADABLE);
  });
  return server;
}

/** Ends a client that sent invalid bytes before it had this response. */
function endInvalid(client: Duplex, response: ServerResponse): void {
  if (response.req.complete || response.headersSent) {
    // The bytes are not of this request. An answer to them would be read as a part of the response.
    client.destroy();
    return;
  }
  response.setHeader('Connection', 'close');
  answer(response, 400, UNREADABLE);
}

async function tunnel(
  { open, close }: HttpProxyDeps,
  request: IncomingMessage,
  client: Duplex,
): Promise<void> {
  const target = parseAuthority(request.url ?? '', null);
  if (target === null) return sendError(close, client, 400, BAD_AUTHORITY);
  const opened = await open(client, target.host, target.port);
  if (opened === null) return;
  if (!opened.ok) return sendError(close, client, statusOf(opened.error), opened.error.reason);
  sendHead(client, 200, 'Connection Established', []);
  splice(client, opened.value);
}

async function upgrade(
  { open, close }: HttpProxyDeps,
  request: IncomingMessage,
  client: Duplex,
): Promise<void> {
  const target = parseTarget(request.url ?? '');
  if (target === null) return sendError(close, client, 400, BAD_TARGET);
  if (hasBody(request)) return sendError(close, client, 400, BAD_UPGRADE);
  const opened = await open(client, target.host, target.port);
  if (opened === null) return;
  if (!opened.ok) return sendError(close, client, statusOf(opened.error), opened.error.reason);
  const upstream = ask(request, target, opened.value, upgradeHeaders(request));
  let answered = false;
  upstream.on('error', (error) => {
    if (answered) client.destroy();
    else sendError(close, client, 502, unanswered(target, error));
  });
  const stop = (): void => {
    upstream.destroy();
  };
  client.once('close', stop);
  upstream.once('upgrade', (from, remote, head) => {
    answered = true;
    client.off('close', stop);
    sendHead(client, 101, from.statusMessage ?? '', [
      ...endToEnd(from.rawHeaders),
      ...upgradeHeaders(from),
    ]);
    giveBack(remote, head);
    splice(client, remote);
  });
  upstream.once('response', (from) => {
    answered = true;
    const fault = statusFault(target, from);
    if (fault !== null) return sendError(close, client, 502, fault);
    sendHead(client, from.statusCode ?? 0, from.statusMessage ?? '', [
      ...endToEnd(from.rawHeaders),
      ['Connection', 'close'],
    ]);
    pipeline(from, client, (error) => {
      if (error) client.destroy();
      else close(client);
    });
  });
  upstream.end();
}

function giveBack(socket: Duplex, head: Buffer): void {
  if (head.length > 0) socket.unshift(head);
}
