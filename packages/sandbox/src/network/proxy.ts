import type { Duplex } from 'node:stream';
import { type Clock, createSystemClock, type TimerHandle } from '@svc/core';
import { createCloser } from './closing.ts';
import { createHttpProxy, type HeadTimer } from './http-proxy.ts';
import type { Outbound } from './outbound.ts';
import { createProxyConnections } from './proxy-connection.ts';
import { serveSocks } from './socks.ts';
import { splice } from './splice.ts';

/** Dependencies of a proxy. */
export interface NetworkProxyDeps {
  /** The only way in which the proxy connects to hosts. */
  readonly outbound: Outbound;
  /** For the time limit of request heads. Default: the system clock. */
  readonly clock?: Clock;
}

/** A proxy for HTTP, HTTP CONNECT and SOCKS5 on the same port. */
export interface NetworkProxy {
  /** Serves one client. Its connection is destroyed if 256 clients are connected already. */
  accept(socket: Duplex): void;
  /** Connects one client to a host and port, without any protocol. The client is destroyed if that is not possible. */
  forward(socket: Duplex, host: string, port: number): void;
  /** Destroys all connections. Later clients are not served. */
  close(): void;
}

const MAX_CONNECTIONS = 256;
const HEAD_WITHIN_MS = 30_000;
const SOCKS_VERSION = 5;

/**
 * Creates a proxy. It answers requests that are not allowed with HTTP status 403 or SOCKS reply 2, hosts that cannot be
 * reached with 502 or reply 1, 3, 4, 5 or 6 by the cause, and invalid requests with 400. A client has 30 s to send the head of a request.
 */
export function createProxy({
  outbound,
  clock = createSystemClock(),
}: NetworkProxyDeps): NetworkProxy {
  const clients = new Set<Duplex>();
  const timer = createHeadTimer(clock);
  const connections = createProxyConnections(outbound, MAX_CONNECTIONS);
  const close = createCloser(clock);
  const http = createHttpProxy({ open: connections.open, close, timer });
  let closed = false;
  const admit = (socket: Duplex): boolean => {
    // The listener stays, because an error must not end the process. The socket closes after it.
    socket.on('error', () => {});
    if (closed || socket.destroyed || clients.size >= MAX_CONNECTIONS) {
      socket.destroy();
      return false;
    }
    // Each request that waits for its response adds listeners; their number is limited elsewhere.
    socket.setMaxListeners(0);
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    // A client may end its side before it has the answer.
    socket.allowHalfOpen = true;
    return true;
  };
  return {
    accept(socket) {
      if (!admit(socket)) return;
      timer.begin(socket);
      readFirst(socket, (first) => {
        if (first === SOCKS_VERSION) {
          const ready = (): void => void timer.stop(socket);
          void serveSocks(socket, { open: connections.open, close, ready });
        } else {
          // Node's server calls this after the last response.
          Object.assign(socket, { destroySoon: () => close(socket) });
          http.emit('connection', socket);
          // Node's server reads the bytes that were given back only when the socket flows again.
          process.nextTick(() => socket.resume());
        }
      });
    },
    forward(socket, host, port) {
      if (!admit(socket)) return;
      void connections.open(socket, host, port).then((opened) => {
        if (opened?.ok === true) splice(socket, opened.value);
        else socket.destroy();
      });
    },
    close() {
      closed = true;
      connections.close();
      for (const socket of clients) socket.destroy();
    },
  };
}

/** Reports the first byte, which can still be read. A client that ends before it is destroyed. */
function readFirst(socket: Duplex, found: (first: number) => void): void {
  const onEnd = (): void => {
    socket.destroy();
  };
  socket.once('end', onEnd);
  socket.once('data', (chunk: Buffer) => {
    socket.off('end', onEnd);
    socket.pause();
    socket.unshift(chunk);
    found(chunk[0] ?? 0);
  });
}

/** Destroys clients whose request head is not complete in time. */
function createHeadTimer(clock: Clock): HeadTimer & { begin(client: Duplex): void } {
  const timers = new Map<Duplex, TimerHandle>();
  const requests = new WeakMap<Duplex, number>();
  const clear = (client: Duplex): void => {
    const timer = timers.get(client);
    if (timer !== undefined) clock.clearTimeout(timer);
    timers.delete(client);
  };
  const start = (client: Duplex): void => {
    clear(client);
    if (client.destroyed) return;
    timers.set(
      client,
      clock.setTimeout(() => client.destroy(), HEAD_WITHIN_MS),
    );
  };
  return {
    begin(client) {
      client.once('close', () => clear(client));
      start(client);
    },
    stop(client) {
      const running = (requests.get(client) ?? 0) + 1;
      requests.set(client, running);
      clear(client);
      return running;
    },
    restart(client) {
      // A client may send several requests before it has the first response.
      const running = (requests.get(client) ?? 1) - 1;
      requests.set(client, running);
      if (running === 0) start(client);
    },
    isServing: (client) => (requests.get(client) ?? 0) > 0,
  };
}
