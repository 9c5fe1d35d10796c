import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServicePort } from '../turn-sandboxes.ts';

/** An HTTP server of one turn that is reachable on 127.0.0.1. */
export interface LocalServer {
  /** Its port, in the sandbox of the turn if there is one. */
  readonly port: number;
  /** Stops it and destroys all connections. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;

/**
 * Makes a server reachable. It serves at most 64 connections at a time.
 *
 * @param service Its port in the sandbox of the turn; null for a free port of this machine.
 */
export async function serveLocally(
  server: Server,
  service: ServicePort | null,
): Promise<LocalServer> {
  if (service !== null) return serveIn(server, service);
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function serveIn(server: Server, service: ServicePort): LocalServer {
  const clients = new Set<Duplex>();
  service.serve((socket) => {
    if (clients.size >= MAX_CONNECTIONS) {
      socket.destroy();
      return;
    }
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    server.emit('connection', socket);
  });
  return {
    port: service.port,
    async close() {
      service.serve((socket) => socket.destroy());
      for (const client of clients) client.destroy();
    },
  };
}
