import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import {
  createNetworkPolicy,
  createOutbound,
  type HostList,
  type Outbound,
  parseHostList,
} from '../src/index.ts';
import { network } from '../src/testing.ts';

/** Names of the tests and their addresses. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'a.example': ['93.184.215.14'],
  'b.example': ['93.184.215.14'],
  'two.example': ['93.184.215.99', '93.184.215.14'],
  'mixed.example': ['93.184.215.14', '10.0.0.7'],
  'loop.example': ['127.0.0.1'],
  'loop6.example': ['::1'],
  'mapped.example': ['::ffff:93.184.215.14'],
  'metadata.example': ['169.254.169.254'],
  'own.example': ['8.8.4.4'],
  'empty.example': [],
  'dead.example': ['93.184.215.99'],
  'other.example': ['93.184.215.98'],
};

export interface World {
  readonly outbound: Outbound;
  /** Names that were looked up. */
  readonly lookups: readonly string[];
  /** Addresses and ports that were connected to. */
  readonly connects: readonly string[];
}

export function hostList(...entries: string[]): HostList {
  const parsed = parseHostList(entries);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

/** Outbound connections whose addresses all lead to one local port, but 93.184.215.99 to a closed one. */
export function createWorld(
  entries: readonly string[],
  port: number,
  clock: Clock = createFakeClock(),
  open: (address: string) => Socket | null = () => null,
): World {
  const lookups: string[] = [];
  const connects: string[] = [];
  const outbound = createOutbound(
    {
      clock,
      network,
      resolveHost: async (host) => {
        lookups.push(host);
        const found = NAMES[host];
        if (found === undefined) {
          throw Object.assign(new Error(`queryA ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
        }
        return found;
      },
      connect: (address, at) => {
        connects.push(`${address} ${at}`);
        const local = address === '93.184.215.99' ? 1 : port;
        return open(address) ?? connect({ host: '127.0.0.1', port: local, allowHalfOpen: true });
      },
    },
    createNetworkPolicy([hostList(...entries)]),
  );
  return { outbound, lookups, connects };
}

/** Listens on a free port of 127.0.0.1. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

/** A server for `accept` whose sockets are like those of a sandbox. */
export function acceptor(accept: (socket: Duplex) => void): Server {
  return createServer(accept);
}

/** All bytes until the other side ends, as text. This side stays open. */
export function readAll(socket: Duplex): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    const done = (): void => resolve(text);
    for (const event of ['end', 'close']) socket.once(event, done);
    if (socket.destroyed || socket.readableEnded) done();
    socket.resume();
  });
}

/** The next bytes of a socket, at least so many. */
export function readSome(socket: Duplex, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length < count) return;
      socket.pause();
      socket.off('data', onData);
      resolve(bytes);
    };
    socket.on('data', onData);
    socket.once('close', () => reject(new Error(`closed after ${bytes.length} bytes`)));
  });
}
