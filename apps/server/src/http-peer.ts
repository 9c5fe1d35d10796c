import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import type { Clock } from '@svc/core';

/** An HTTP server and how to connect to it. */
export interface Peer {
  /** Its origin, with a path prefix if there is one. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Connects for a request. Default: with the usual certificate checks. */
  readonly connect?: () => Promise<Duplex>;
}

/** A request to a server. */
export interface PeerRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** JSON. */
  readonly body: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A JSON response. */
export interface PeerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request; resolves with the head of the response. Aborting destroys the connection. */
export async function send(
  peer: Peer,
  { method, path, body, headers }: PeerRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const base = new URL(peer.url);
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
  const socket = await peer.connect?.();
  const request = url.protocol === 'https:' && socket === undefined ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        ...{ ...addressOf(url.href), method, path: `${url.pathname}${url.search}`, signal },
        headers: {
          Host: url.host,
          Connection: 'close',
          ...peer.headers,
          ...headers,
          ...jsonOf(body),
        },
        ...(socket === undefined ? {} : { createConnection: () => socket }),
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** Host and port of an address. */
export function addressOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  // URL omits the default port of the scheme.
  const own = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? own : Number(port) };
}

// A test of alerts may take half a minute; a server that is silent for longer than this hangs.
const CHANGE_TIMEOUT_MS = 120_000;
// Reads are answered at once or not at all.
const READ_TIMEOUT_MS = 10_000;

/** Runs work with a signal that aborts once a server was silent for too long. */
export async function withTimeout<T>(
  clock: Clock,
  { method }: Pick<PeerRequest, 'method'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const hangs = new AbortController();
  const timeoutMs = method === 'GET' ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS;
  const timer = clock.setTimeout(() => hangs.abort(), timeoutMs);
  try {
    return await work(hangs.signal);
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Reads a response completely; throws if its body is not JSON. */
export async function readAnswer(incoming: IncomingMessage): Promise<PeerAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  return { status: incoming.statusCode ?? 0, body };
}

/** A function like `fetch` for requests to a server, for streams. */
export function fetchFrom(peer: () => Promise<Peer>) {
  return async (url: string, { headers, signal }: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const incoming = await send(
      await peer(),
      {
        ...{ method: 'GET', path: `${pathname}${search}`, body: null },
        headers: Object.fromEntries(new Headers(headers ?? {})),
      },
      signal ?? new AbortController().signal,
    );
    const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
    return new Response(body, { status: incoming.statusCode ?? 0 });
  };
}

function jsonOf(body: string | null): Readonly<Record<string, string | number>> {
  if (body === null) return {};
  return { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
}
