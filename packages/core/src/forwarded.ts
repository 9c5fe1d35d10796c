import { isIP } from 'node:net';

/** Header values by lower-case name, as `node:http` gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

// Different proxies write different headers. `Forwarded` (RFC 7239) has its own syntax and is read separately.
const ADDRESS_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

/**
 * The client addresses that proxies recorded, without ports: those of `X-Forwarded-For`, nearest proxy last, then
 * those of `X-Real-IP`, `X-Client-IP`, `CF-Connecting-IP`, `True-Client-IP` and `Forwarded` (RFC 7239). Values that
 * are not addresses (`unknown`, `_hidden`) are kept unchanged.
 */
export function forwardedAddresses(headers: RequestHeaders): string[] {
  const listed = ADDRESS_HEADERS.flatMap((name) => joined(headers[name]).split(','));
  return [...listed, ...forwardedFor(joined(headers['forwarded']))]
    .map((entry) => withoutPort(entry.trim()))
    .filter((entry) => entry !== '');
}

/** The first value of `X-Forwarded-Proto` in lower case; empty if the header is missing. */
export function forwardedProtocol(headers: RequestHeaders): string {
  const [first = ''] = joined(headers['x-forwarded-proto']).split(',');
  return first.trim().toLowerCase();
}

/**
 * The address that a request comes from: its peer or, if the peer is one of the `proxies`, the nearest forwarded
 * address that is not a proxy.
 */
export function clientAddress(
  { headers, remoteAddress }: RequestOrigin,
  proxies: { has(address: string | undefined): boolean } | null,
): string {
  const peer = remoteAddress ?? '';
  if (proxies === null || !proxies.has(peer)) return peer;
  const { 'x-forwarded-for': common, forwarded: standard } = headers;
  // The proxy writes only one of the two headers. The client could have forged the other.
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

/**
 * The token of an `Authorization: Bearer` header; null if there is none. A repeated header is malformed, even if
 * one of its values is valid.
 */
export function bearerOf(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const token = /^bearer[ \t](.*)$/i.exec(header.trim())?.[1]?.trim() ?? '';
  return token === '' ? null : token;
}

function joined(value: string | readonly string[] | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : value.join(',');
}

// Also matches `for=` inside quoted text. One address too many leads to a refusal; one too few would let a request
// in.
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
