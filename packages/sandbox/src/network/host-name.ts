import { isAddress } from './address.ts';

/** A host and a port, as written by a client. */
export interface HostAndPort {
  /** As written, an IPv6 address without its brackets. */
  readonly host: string;
  /** 1 to 65535; null if none is written. */
  readonly port: number | null;
}

const MAX_NAME = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;
const PLAIN = /^([^:[\]]+)(?::(.*))?$/s;
const BRACKETED = /^\[([^[\]]*)\](?::(.*))?$/s;
// The URL parser decodes `%`, ends the host at the others, and drops tabs and line breaks.
const NOT_IN_HOSTS = /[\s%/\\?#@]|\p{Cc}/u;

/**
 * Normalizes a host: lower case, punycode, no trailing dot, IPv4 addresses in dotted form, IPv6 addresses in their
 * short form without brackets.
 *
 * @returns null if it is neither a host name nor an address.
 */
export function normalizeHost(text: string): string | null {
  if (text.length > 4 * MAX_NAME || NOT_IN_HOSTS.test(text)) return null;
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const written = bare.includes(':') ? `[${bare}]` : text;
  const url = URL.canParse(`http://${written}/`) ? new URL(`http://${written}/`) : null;
  if (url === null) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isAddress(host)) return host;
  return host.length <= MAX_NAME && host.split('.').every((label) => LABEL.test(label))
    ? host
    : null;
}

/**
 * Splits `host`, `host:port`, `[address]` or `[address]:port` without looking at the host itself.
 *
 * @returns null if the text has another form or the port is not 1 to 65535.
 */
export function splitPort(text: string): HostAndPort | null {
  const found = BRACKETED.exec(text) ?? PLAIN.exec(text);
  const host = found?.[1];
  if (host === undefined || (text.startsWith('[') && !(host.includes(':') && isAddress(host))))
    return null;
  const digits = found?.[2];
  if (digits === undefined) return { host, port: null };
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0;
  return isPort(port) ? { host, port } : null;
}

/** Whether a number is a port to connect to. */
export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** Whether a normalized host is a name for the loopback interface. */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** A host as text for one line of a message or log, with at most 253 characters. */
export function printableHost(text: string): string {
  const line = text.replace(/[^\x21-\x7e]/g, '?');
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1)}…`;
}

/** `host:port`, or only the host if the port is null, with an IPv6 address in brackets. */
export function authorityOf(host: string, port: number | null): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === null ? name : `${name}:${port}`;
}
