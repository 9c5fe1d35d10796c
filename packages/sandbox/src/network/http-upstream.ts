import { type IncomingMessage, type OutgoingMessage, request as requestHttp } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf } from '@svc/core';
import { endToEnd, type RequestTarget } from './http-head.ts';
import type { OutboundFault } from './outbound.ts';

/** What is wrong with a request that is not in absolute form. */
export const BAD_TARGET =
  'The request must have an absolute address such as `GET http://example.org/`, without a user name. Use CONNECT for https.';

/** Names and values of headers, in order. */
export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Starts a request on an open connection. The host is the one that was checked, whatever the `Host` header says.
 *
 * @throws Error if Node does not accept the request. The connection is destroyed then.
 */
export function ask(
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
  upstream.maxHeadersCount = 0;
  try {
    setHeaders(upstream, requestHeaders(request, target, more));
  } catch (error) {
    upstream.on('error', () => {}).destroy();
    throw error;
  }
  return upstream;
}

function requestHeaders(request: IncomingMessage, target: RequestTarget, more: Headers): Headers {
  // The header `Connection` may name Content-Length, so the length is written from what the parser has understood.
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  const framing: Headers =
    encoding !== undefined
      ? [['Transfer-Encoding', 'chunked']]
      : length === undefined
        ? []
        : [['Content-Length', length]];
  // This proxy has already answered `Expect`.
  return [
    ['Host', target.authority],
    ...endToEnd(request.rawHeaders, ['host', 'expect', 'content-length']),
    ...more,
    ...framing,
  ];
}

/** Sets headers; those of the same name keep their values. */
export function setHeaders(message: OutgoingMessage, headers: Headers): void {
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

/** The headers of a message that upgrade its connection. */
export function upgradeHeaders({ headers }: IncomingMessage): Headers {
  return [
    ['Connection', 'Upgrade'],
    ['Upgrade', headers.upgrade ?? ''],
  ];
}

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The status for a connection that was not opened. */
export function statusOf({ kind }: OutboundFault): number {
  return kind === 'refused' ? 403 : 502;
}

/** Why there is no response of a host. */
export function unanswered({ authority }: RequestTarget, error: Error): string {
  return `${authority} did not answer: ${messageOf(error)}.`;
}

/** Why a response cannot be passed on, one line; null if it can. Node's parser accepts statuses below 100. */
export function statusFault(
  { authority }: RequestTarget,
  { statusCode = 0 }: IncomingMessage,
): string | null {
  return statusCode < 200 ? `${authority} answered with the invalid status ${statusCode}.` : null;
}
