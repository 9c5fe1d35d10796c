import { isIP } from 'node:net';

/** Header values by lower-case name, as `node:http` gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

// Each is written by some proxies; besides these there is `Forwarded` (RFC 7239), which has a form of its own.
const ADDRESS_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

/**
 * The client addresses that proxies noted, without ports: those of `X-Forwarded-For`, nearest proxy last, then those of
 * `X-Real-IP`, `X-Client-IP`, `CF-Connecting-IP`, `True-Client-IP` and `Forwarded` (RFC 7239). What is not an address
 * (`unknown`, `_hidden`) is kept as it is.
 */
export function forwardedAddresses(headers: RequestHeaders): string[] {
  const listed = ADDRESS_HEADERS.flatMap((name) => joined(headers[name]).split(','));
  return [...listed, ...forwardedFor(joined(headers['forwarded']))]
    .map((entry) => withoutPort(entry.trim()))
    .filter((entry) => entry !== '');
}

/** The first value of `X-Forwarded-Proto`, in lower case; empty without one. */
export function forwardedProtocol(headers: RequestHeaders): string {
  const [first = ''] = joined(headers['x-forwarded-proto']).split(',');
  return first.trim().toLowerCase();
}

/**
 * The address that a request comes from: that of its peer, or, where the peer is one of the `proxies`, the nearest
 * forwarded address that is none of them.
 */
export function clientAddress(
  { headers, remoteAddress }: RequestOrigin,
  proxies: { has(address: string | undefined): boolean } | null,
): string {
  const peer = remoteAddress ?? '';
  if (proxies === null || !proxies.has(peer)) return peer;
  const { 'x-forwarded-for': common, forwarded: standard } = headers;
  // Only one of the two is written by the proxy; the other would be whatever the client made up.
  const forwarded = forwardedAddresses(
    common === undefined ? { forwarded: standard } : { 'x-forwarded-for': common },
  );
  return forwarded.findLast((one) => !proxies.has(one)) ?? peer;
}

interface RequestOrigin {
  readonly headers: RequestHeaders;
  /** Address of the peer's socket. */
  readonly remoteAddress: string | undefined;
}

/** The token of an `Authorization: Bearer` header; null without one. A repeated header is malformed, even if one of its values would do. */
export function bearerOf(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const token = /^bearer[ \t](.*)$/i.exec(header.trim())?.[1]?.trim() ?? '';
  return token === '' ? null : token;
}

function joined(value: string | readonly string[] | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : value.join(',');
}

// Finds `for=` inside quoted text too: taking one address too many refuses, one too few would let in.
function forwardedFor(header: string): string[] {
  const pairs = header.matchAll(/(?:^|[;,])\s*for\s*=\s*("[^"]*"|[^;,]*)/gi);
  return [...pairs].map(([, value = '']) => value.replace(/^"|"$/g, ''));
}

function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(entry);
  if (bracketed) return bracketed[1] ?? '';
  const [address = '', port, ...rest] = entry.split(':');
  return port !== undefined && rest.length === 0 && isIP(address) === 4 ? address : entry;
}
