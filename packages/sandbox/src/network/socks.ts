import type { Duplex } from 'node:stream';
import ipaddr from 'ipaddr.js';
import type { CloseClient } from './closing.ts';
import type { OutboundFault } from './outbound.ts';
import type { OpenConnection } from './proxy-connection.ts';
import { splice } from './splice.ts';

const VERSION = 5;
const REPLY = {
  succeeded: 0,
  failed: 1,
  refused: 2,
  networkUnreachable: 3,
  hostUnreachable: 4,
  connectionRefused: 5,
  expired: 6,
  unknownCommand: 7,
  unknownAddress: 8,
} as const;
const BY_CODE: Readonly<Record<string, number>> = {
  ECONNREFUSED: REPLY.connectionRefused,
  ENETUNREACH: REPLY.networkUnreachable,
  EHOSTUNREACH: REPLY.hostUnreachable,
  ETIMEDOUT: REPLY.expired,
  ETIMEOUT: REPLY.expired,
  ENODATA: REPLY.hostUnreachable,
  ENOTFOUND: REPLY.hostUnreachable,
  ESERVFAIL: REPLY.hostUnreachable,
  EREFUSED: REPLY.hostUnreachable,
  EAI_AGAIN: REPLY.hostUnreachable,
};
const NO_AUTHENTICATION = 0;
const NO_METHOD = 0xff;
const CONNECT = 1;

/** What a SOCKS proxy needs to serve a client. */
export interface SocksDeps {
  readonly open: OpenConnection;
  readonly close: CloseClient;
  /** Called when the request was read. */
  readonly ready: () => void;
}

/** Serves one SOCKS5 client (RFC 1928): CONNECT without authentication. */
export async function serveSocks(socket: Duplex, { open, close, ready }: SocksDeps): Promise<void> {
  const target = await readRequest(socket, close);
  ready();
  if (target === null) return;
  const opened = await open(socket, target.host, target.port);
  if (opened === null) return;
  if (!opened.ok) return close(socket, reply(replyCode(opened.error)));
  socket.write(reply(REPLY.succeeded));
  splice(socket, opened.value);
}

interface SocksTarget {
  readonly host: string;
  readonly port: number;
}

/** Returns null if there is no valid request. The client has its answer then. */
async function readRequest(socket: Duplex, close: CloseClient): Promise<SocksTarget | null> {
  const stop = (answer: Buffer | null): null => {
    if (answer === null) socket.destroy();
    else close(socket, answer);
    return null;
  };
  const greeting = await readBytes(socket, 2);
  const methods = greeting && (await readBytes(socket, greeting[1] ?? 0));
  if (methods === null || greeting?.[0] !== VERSION) return stop(null);
  if (!methods.includes(NO_AUTHENTICATION)) {
    return stop(Buffer.from([VERSION, NO_METHOD]));
  }
  socket.write(Buffer.from([VERSION, NO_AUTHENTICATION]));
  const head = await readBytes(socket, 4);
  if (head === null || head[0] !== VERSION) return stop(null);
  if (head[1] !== CONNECT) return stop(reply(REPLY.unknownCommand));
  if (![1, 3, 4].includes(head[3] ?? 0)) return stop(reply(REPLY.unknownAddress));
  const host = await readHost(socket, head[3] ?? 0);
  const port = await readBytes(socket, 2);
  if (host === null || port === null) return stop(null);
  return { host, port: port.readUInt16BE(0) };
}

async function readHost(socket: Duplex, type: number): Promise<string | null> {
  if (type !== 3) {
    const address = await readBytes(socket, type === 1 ? 4 : 16);
    return address && ipaddr.fromByteArray([...address]).toString();
  }
  const length = await readBytes(socket, 1);
  const name = length && (await readBytes(socket, length[0] ?? 0));
  return name?.toString('utf8') ?? null;
}

function replyCode({ kind, code = '' }: OutboundFault): number {
  return kind === 'refused' ? REPLY.refused : (BY_CODE[code] ?? REPLY.failed);
}

function reply(code: number): Buffer {
  // The address of the connection is not reported.
  return Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

/** Reads exactly so many bytes; null if the connection ends before. */
function readBytes(socket: Duplex, count: number): Promise<Buffer | null> {
  if (count === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve) => {
    const events = ['readable', 'end', 'close'] as const;
    const done = (bytes: Buffer | null): void => {
      for (const event of events) socket.off(event, attempt);
      resolve(bytes);
    };
    const attempt = (): void => {
      const bytes: Buffer | null = socket.read(count);
      if (bytes !== null) done(bytes.length === count ? bytes : null);
      else if (socket.readableEnded || socket.destroyed) done(null);
    };
    for (const event of events) socket.on(event, attempt);
    attempt();
  });
}
