import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { failure, type Result } from '@svc/core';
import type { Outbound, OutboundFault } from './outbound.ts';

/**
 * Opens a connection for a client. Returns null if the client is gone or the proxy is closed; the client is destroyed
 * then.
 */
export type OpenConnection = (
  client: Duplex,
  host: string,
  port: number,
) => Promise<Result<Socket, OutboundFault> | null>;

/** The connections that a proxy opened. */
export interface ProxyConnections {
  readonly open: OpenConnection;
  /** Ends all attempts and destroys all connections. */
  close(): void;
}

/**
 * Creates a limited set of connections.
 *
 * @param limit How many connections may be open or being opened.
 */
export function createProxyConnections(outbound: Outbound, limit: number): ProxyConnections {
  const attempts = new Set<AbortController>();
  const sockets = new Set<Socket>();
  let closed = false;
  return {
    async open(client, host, port) {
      if (closed || client.destroyed) {
        client.destroy();
        return null;
      }
      if (attempts.size + sockets.size >= limit) {
        return failure({ kind: 'failed', reason: `More than ${limit} connections are open.` });
      }
      const attempt = new AbortController();
      const stop = (): void => attempt.abort();
      attempts.add(attempt);
      client.once('close', stop);
      const opened = await outbound.open(host, port, attempt.signal);
      client.off('close', stop);
      attempts.delete(attempt);
      if (closed || client.destroyed) {
        if (opened.ok) opened.value.destroy();
        client.destroy();
        return null;
      }
      if (opened.ok) {
        const socket = opened.value;
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      }
      return opened;
    },
    close() {
      closed = true;
      for (const attempt of attempts) attempt.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}
