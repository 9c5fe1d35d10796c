import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '@svc/core';
import type { OnClosed } from './close-recorder.ts';
import { createConnectionCounter } from './connection-counter.ts';
import { ListenerError } from './errors.ts';
import type { HttpLimits } from './http-limits.ts';
import { answerPlainHttp } from './plain-http.ts';
import { createRequestQueue, createTurns, type RequestQueue } from './request-queue.ts';
import type { TlsPair } from './tls-pair.ts';

/** A listening server. */
export interface LimitedServer {
  /** Its address for clients on this machine. */
  readonly url: string;
  readonly connections: number;
  /** Whether it accepts connections; false from `close` on. */
  readonly isListening: boolean;
  /** Uses another certificate for new connections; open ones keep theirs. */
  renew(pair: TlsPair): void;
  /** Stops accepting connections; resolves when all responses were sent, or after `waitMs` milliseconds. */
  close(waitMs: number): Promise<void>;
}

/** Request handlers, called for at most one request of a connection at a time. */
export interface RequestListeners {
  readonly request: RequestListener;
  /** Handles requests with `Expect: 100-continue`, whose clients wait before they send the body. */
  readonly checkContinue: RequestListener;
}

/** The address to listen on. */
export interface ServerAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** null: plain HTTP. */
  readonly tls: TlsPair | null;
}

/** Dependencies of a server. */
export interface ServerDeps {
  readonly clock: Clock;
  readonly onClosed: OnClosed;
  readonly limits: HttpLimits;
}

/**
 * Starts listening.
 *
 * @throws ListenerError `address_unusable` if the address is in use or not available
 */
export async function openServer(
  deps: ServerDeps,
  address: ServerAddress,
  listeners: RequestListeners,
): Promise<LimitedServer> {
  const { limits, clock } = deps;
  const { tls } = address;
  const secure = tls === null ? null : createTlsServer({ ...optionsOf(limits), ...contextOf(tls) });
  const server = secure ?? createServer(optionsOf(limits));
  // Node silently drops header lines beyond this count; one more than allowed makes the excess visible.
  server.maxHeadersCount = limits.headerLines + 1;
  server.maxConnections = limits.connections;
  const silent = secure === null ? null : answerPlainHttp(secure, clock, limits.headersTimeoutMs);
  const open = limitConnections(server, deps);
  const connection = secure === null ? 'connection' : 'secureConnection';
  const queues = limitRequests(server, connection, deps, listeners);
  await bind(server, address);
  const endQuiet = (): void => {
    for (const socket of silent ?? []) socket.destroy();
    for (const [socket, { current }] of queues) {
      if (current === null || !current.complete) socket.destroy();
    }
  };
  return {
    url: urlOf(server, address),
    get connections() {
      return open.size;
    },
    get isListening() {
      return server.listening;
    },
    renew: (pair) => secure?.setSecureContext(contextOf(pair)),
    async close(waitMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // Otherwise a client that never completes its request, or never reads the response, would keep the server open.
      const quiet = clock.setTimeout(endQuiet, Math.min(limits.lingerMs, waitMs));
      const all = clock.setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, waitMs);
      await closed;
      for (const timer of [quiet, all]) clock.clearTimeout(timer);
    },
  };
}

// Interval in which Node checks time limits of requests: a limit is exceeded by at most half a second.
const MAX_BETWEEN_CHECKS_MS = 500;

function optionsOf(limits: HttpLimits) {
  return {
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // Handled below instead, so that such a request is queued and counted like the others.
    requireHostHeader: false,
    handshakeTimeout: limits.handshakeTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, MAX_BETWEEN_CHECKS_MS),
  };
}

function contextOf({ cert, key }: TlsPair) {
  return { cert, key, minVersion: 'TLSv1.2' } as const;
}

function limitConnections(
  server: Server | TlsServer,
  { limits, onClosed }: ServerDeps,
): ReadonlySet<Socket> {
  const counter = createConnectionCounter(limits);
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const reason = counter.add(remoteAddress);
    if (reason !== null) {
      onClosed(reason, remoteAddress);
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      counter.remove(remoteAddress);
    });
  });
  server.on('drop', (data) => onClosed('total', data?.remoteAddress));
  return open;
}

function limitRequests(
  server: Server | TlsServer,
  // With TLS, requests arrive on the decrypting socket.
  connection: 'connection' | 'secureConnection',
  { clock, limits, onClosed }: ServerDeps,
  listeners: RequestListeners,
): ReadonlyMap<Socket, RequestQueue> {
  const queues = new Map<Socket, RequestQueue>();
  const turn = createTurns(clock);
  server.on(connection, (socket: Socket) => {
    const queue = createRequestQueue(turn, limits);
    queues.set(socket, queue);
    socket.once('close', () => {
      queues.delete(socket);
      queue.close();
    });
  });
  const inTurn = (listener: RequestListener): RequestListener => {
    const answer = withRequestChecks(server, limits, listener);
    return (request, response) => {
      const { socket } = request;
      // Requests that arrived in the same chunk as the excess one are still emitted.
      if (socket.destroyed || queues.get(socket)?.add(request, response, answer) !== false) return;
      onClosed('requests', socket.remoteAddress);
      socket.destroy();
    };
  };
  server.on('request', inTurn(listeners.request));
  server.on('checkContinue', inTurn(listeners.checkContinue));
  // By default, Node rejects an unknown `Expect` header before authentication (RFC 9110, 10.1.1).
  server.on('checkExpectation', inTurn(listeners.request));
  return queues;
}

function withRequestChecks(
  server: Server | TlsServer,
  { headerLines }: HttpLimits,
  listener: RequestListener,
): RequestListener {
  return (request, response) => {
    if (!server.listening) response.setHeader('Connection', 'close');
    // Otherwise a client that keeps sending requests would keep a closing server open.
    response.on('close', () => {
      if (!server.listening) request.socket.destroySoon();
    });
    if (request.rawHeaders.length > 2 * headerLines) {
      const error = `The request has too many header lines: the limit is ${headerLines}.`;
      refuse(response, 431, error);
    } else if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      refuse(response, 400, 'The request has no Host header, which HTTP/1.1 requires.');
    } else if (hostLines(request.rawHeaders) > 1) {
      refuse(response, 400, 'The request has more than one Host header. Send one.');
    } else listener(request, response);
  };
}

// Node uses the first Host header, but a proxy in front may have used the last one (RFC 9112, 3.2).
function hostLines(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length;
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(`${JSON.stringify({ error, code: 'invalid' })}\n`);
}

async function bind(
  server: Server | TlsServer,
  { host, port }: Pick<ServerAddress, 'host' | 'port'>,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = LISTEN_FAULTS[cause.code ?? ''] ?? `cause: ${cause.message}`;
      const message = `cannot listen on ${bracketed(host)}:${port}: ${why}.`;
      reject(new ListenerError('address_unusable', message, { cause }));
    });
    server.listen(port, host, () => resolve());
  });
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use. Choose another port with --port',
  EADDRNOTAVAIL: 'this machine does not have this address. Choose another address with --host',
  ENOTFOUND: 'the host name does not exist. Choose another with --host',
  EAI_AGAIN: 'the host name cannot be resolved at the moment. Give an address with --host',
  EACCES: 'this user may not use this port. Choose a port of 1024 or above with --port',
};

// A wildcard address becomes the loopback address.
function urlOf(server: Server | TlsServer, { host, tls }: ServerAddress): string {
  const { port } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : bracketed(host);
  return `${tls === null ? 'http' : 'https'}://${shown}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
