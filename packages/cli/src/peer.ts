import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { type Duplex, Readable } from 'node:stream';
import { type Clock, isRecord } from '@svc/core';

/** Like the global `fetch`, with a whole request. */
export type Fetch = (request: Request) => Promise<Response>;

/** Host and port of a server. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** An HTTP server and how to connect to it. */
export interface Peer {
  /** Its origin, with a path prefix if there is one. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Connects for a request. Default: with the usual certificate checks. */
  readonly connect?: (address: Address) => Promise<Duplex>;
}

/** The server answered with something other than a JSON object. */
export class NotJsonError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`answered ${status} without JSON`);
    this.status = status;
  }
}

/**
 * Creates a function like `fetch` that sends requests to a server and expects JSON, or a stream of events.
 *
 * @param peer returns the server, which may change its address; the address in a request is ignored
 * @param failureOf the error to throw for a failed request: no connection, a timeout, or `NotJsonError`
 */
export function createPeerFetch(
  clock: Clock,
  peer: () => Promise<Peer>,
  failureOf: (peer: Peer, cause: unknown) => Error,
): Fetch {
  return async (request) => {
    const to = await peer();
    try {
      return await withTimeout(clock, request.method, async (hangs) => {
        const signal = AbortSignal.any([hangs, request.signal]);
        const response = await fetchFrom(to, request, signal);
        return asksForStream(request) && isStream(response) ? response : wholeOf(response);
      });
    } catch (cause) {
      throw failureOf(to, cause);
    }
  };
}

/** Sends a request to a server, whatever the address in it. Aborting destroys the connection. */
export async function fetchFrom(
  peer: Peer,
  request: Request,
  signal: AbortSignal,
): Promise<Response> {
  const base = new URL(peer.url);
  const { pathname, search } = new URL(request.url);
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${pathname}${search}`, base);
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  const socket = await peer.connect?.(addressOf(url.href));
  const send = url.protocol === 'https:' && socket === undefined ? requestTls : requestPlain;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(
      {
        ...{ ...addressOf(url.href), method: request.method, signal },
        path: `${url.pathname}${url.search}`,
        headers: {
          ...Object.fromEntries(request.headers),
          ...(body === null ? {} : { 'content-length': body.length }),
          ...{ ...peer.headers, host: url.host, connection: 'close' },
        },
        ...(socket === undefined ? {} : { createConnection: () => socket }),
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
  const { statusCode: status = 0, headers } = incoming;
  // A response object refuses other statuses.
  if (WITHOUT_BODY.includes(status) || status < 200 || status > 599) throw new NotJsonError(status);
  const shown = new Headers();
  for (const name of ['content-length', 'content-type']) {
    const value = headers[name];
    if (typeof value === 'string') shown.set(name, value);
  }
  const stream = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Response(stream, { status, headers: shown });
}

function asksForStream({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/event-stream') === true;
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

// A response object refuses a body with them.
const WITHOUT_BODY = [204, 205, 304];

/** Host and port of a URL. */
export function addressOf(url: string): Address {
  const { hostname, port, protocol } = new URL(url);
  // URL omits the default port of the scheme.
  const own = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? own : Number(port) };
}

// A test of alerts may take half a minute; a server that is silent for longer than this hangs.
const CHANGE_TIMEOUT_MS = 120_000;
// Reads are answered at once or not at all.
const READ_TIMEOUT_MS = 10_000;

async function withTimeout<T>(
  clock: Clock,
  method: string,
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

async function wholeOf(response: Response): Promise<Response> {
  const text = await response.text();
  const { status } = response;
  if (!isJsonObject(text)) throw new NotJsonError(status);
  return new Response(text, { status });
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
