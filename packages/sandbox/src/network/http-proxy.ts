import {
  createServer,
  type IncomingMessage,
  type OutgoingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { messageOf } from '@svc/core';
import { endToEnd, parseAuthority, parseTarget, type RequestTarget } from './http-head.ts';
import { sendError, sendHead } from './http-raw.ts';
import type { OutboundFault } from './outbound.ts';
import type { OpenConnection } from './proxy-connection.ts';
import { splice } from './splice.ts';

/** Limits the time that a client takes to send the head of a request. */
export interface HeadTimer {
  /** The head of a request was read. */
  stop(client: Duplex): void;
  /** The response to a request has ended. */
  restart(client: Duplex): void;
}

const BAD_TARGET =
  'The request must have an absolute address such as `GET http://example.org/`, without a user name. Use CONNECT for https.';
const BAD_AUTHORITY = 'CONNECT needs a host and a port, such as `CONNECT example.org:443`.';
const BAD_UPGRADE = 'A request that upgrades the connection must not have a body.';
const NOT_IN_REASONS = /[^\t\x20-\x7e\x80-\xff]/g;
const UNREADABLE = 'The request is not valid HTTP/1.1.';

/** Creates an HTTP proxy. Pass connections to it with `emit('connection', socket)`; it must not listen. */
export function createHttpProxy(open: OpenConnection, timer: HeadTimer): Server {
  // A client that ends its side after a request still receives the response. The types do not have this property.
  const server = Object.assign(createServer({ requestTimeout: 0, headersTimeout: 0 }), {
    httpAllowHalfOpen: true,
  });
  server.on('request', (request, response) => {
    timer.stop(request.socket);
    response.once('close', () => timer.restart(request.socket));
    forward(open, request, response).catch(() => request.socket.destroy());
  });
  server.on('connect', (request, client, head) => {
    timer.stop(client);
    giveBack(client, head);
    tunnel(open, request, client).catch(() => client.destroy());
  });
  server.on('upgrade', (request, client, head) => {
    timer.stop(client);
    giveBack(client, head);
    upgrade(open, request, client).catch(() => client.destroy());
  });
  server.on('clientError', (_error, client) => sendError(client, 400, UNREADABLE));
  return server;
}

async function tunnel(
  open: OpenConnection,
  request: IncomingMessage,
  client: Duplex,
): Promise<void> {
  const target = parseAuthority(request.url ?? '', null);
  if (target === null) return sendError(client, 400, BAD_AUTHORITY);
  const opened = await open(client, target.host, target.port);
  if (opened === null) return;
  if (!opened.ok) return sendError(client, statusOf(opened.error), opened.error.reason);
  sendHead(client, 200, 'Connection Established', []);
  splice(client, opened.value);
}

async function forward(
  open: OpenConnection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = parseTarget(request.url ?? '');
  if (target === null) return answer(response, 400, BAD_TARGET);
  const opened = await open(request.socket, target.host, target.port);
  if (opened === null) return;
  if (!opened.ok) return answer(response, statusOf(opened.error), opened.error.reason);
  const upstream = ask(request, target, opened.value);
  if (hasBody(request)) request.pipe(upstream);
  else upstream.end();
  response.once('close', () => upstream.destroy());
  upstream.on('error', (error) => answer(response, 502, unanswered(target, error)));
  upstream.once('response', (from) => {
    // Node's parser accepts status lines that its server throws at, later and outside of this function.
    const status = from.statusCode ?? 0;
    if (status < 200) {
      upstream.destroy();
      return answer(
        response,
        502,
        `${target.authority} answered with the invalid status ${status}.`,
      );
    }
    response.sendDate = false;
    response.statusCode = status;
    response.statusMessage = (from.statusMessage ?? '').replace(NOT_IN_REASONS, '');
    setHeaders(response, endToEnd(from.rawHeaders));
    pipeline(from, response, () => {});
  });
}

async function upgrade(
  open: OpenConnection,
  request: IncomingMessage,
  client: Duplex,
): Promise<void> {
  const target = parseTarget(request.url ?? '');
  if (target === null) return sendError(client, 400, BAD_TARGET);
  if (hasBody(request)) return sendError(client, 400, BAD_UPGRADE);
  const opened = await open(client, target.host, target.port);
  if (opened === null) return;
  if (!opened.ok) return sendError(client, statusOf(opened.error), opened.error.reason);
  const upstream = ask(request, target, opened.value, upgradeHeaders(request));
  let answered = false;
  upstream.on('error', (error) => {
    if (answered) client.destroy();
    else sendError(client, 502, unanswered(target, error));
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
    sendHead(client, from.statusCode ?? 502, from.statusMessage ?? '', [
      ...endToEnd(from.rawHeaders),
      ['Connection', 'close'],
    ]);
    pipeline(from, client, () => client.destroy());
  });
  upstream.end();
}

type Headers = readonly (readonly [name: string, value: string])[];

/** Starts a request on an open connection. The host is the one that was checked, whatever the `Host` header says. */
function ask(
  request: IncomingMessage,
  target: RequestTarget,
  connection: Duplex,
  more: Headers = [],
): ReturnType<typeof requestHttp> {
  const upstream = requestHttp({
    method: request.method ?? 'GET',
    path: target.path,
    setHost: false,
    // With any agent, also `agent: false`, Node ignores this function and opens a connection that is not checked.
    createConnection: () => connection,
  });
  // The header `Connection` may name Content-Length, so the length is written from what the parser has understood.
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  const framing: Headers =
    encoding !== undefined
      ? [['Transfer-Encoding', 'chunked']]
      : length === undefined
        ? []
        : [['Content-Length', length]];
  // This proxy has already answered `Expect`.
  setHeaders(upstream, [
    ['Host', target.authority],
    ...endToEnd(request.rawHeaders, ['host', 'expect', 'content-length']),
    ...more,
    ...framing,
  ]);
  return upstream;
}

function setHeaders(message: OutgoingMessage, headers: Headers): void {
  const values = new Map<string, { readonly name: string; readonly all: string[] }>();
  for (const [name, value] of headers) {
    const known = values.get(name.toLowerCase());
    if (known === undefined) values.set(name.toLowerCase(), { name, all: [value] });
    else known.all.push(value);
  }
  for (const { name, all } of values.values()) {
    message.setHeader(name, all.length === 1 ? (all[0] ?? '') : all);
  }
}

function upgradeHeaders({ headers }: IncomingMessage): Headers {
  return [
    ['Connection', 'Upgrade'],
    ['Upgrade', headers.upgrade ?? ''],
  ];
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function giveBack(socket: Duplex, head: Buffer): void {
  if (head.length > 0) socket.unshift(head);
}

function statusOf({ kind }: OutboundFault): number {
  return kind === 'refused' ? 403 : 502;
}

function unanswered({ authority }: RequestTarget, error: Error): string {
  return `${authority} did not answer: ${messageOf(error)}.`;
}

function answer(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(`${reason}\n`);
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
  });
  response.end(body);
}
