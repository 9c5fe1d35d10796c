import { isIP } from 'node:net';

/** Header values by lower-case name, as `node:http` gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The client addresses that proxies noted, nearest proxy last, without ports: those of `X-Forwarded-For`, then those
 * of `Forwarded` (RFC 7239). What is not an address (`unknown`, `_hidden`) is kept as it is.
 */
export function forwardedAddresses(headers: RequestHeaders): string[] {
  const listed = joined(headers['x-forwarded-for']).split(',');
  return [...listed, ...forwardedFor(joined(headers['forwarded']))]
    .map((entry) => withoutPort(entry.trim()))
    .filter((entry) => entry !== '');
}

/** The first value of `X-Forwarded-Proto`, in lower case; empty without one. */
export function forwardedProtocol(headers: RequestHeaders): string {
  const [first = ''] = joined(headers['x-forwarded-proto']).split(',');
  return first.trim().toLowerCase();
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
