import { failure, type Result, success } from '@svc/core';
import { isAddress, isPublicAddress } from './address.ts';
import { authorityOf, isLocalhost, normalizeHost, splitPort } from './host-name.ts';

/** One entry of a host list. */
export interface HostEntry {
  /**
   * `all`: every public host; `name`: the host `host`; `subdomains`: all names that end in `.` and `host`; `address`:
   * the IP address `host`.
   */
  readonly kind: 'all' | 'name' | 'subdomains' | 'address';
  /** Normalized, without `*.` and brackets; `''` for `all`. */
  readonly host: string;
  /** 1 to 65535; null for any port. */
  readonly port: number | null;
}

/** Hosts that may be connected to. */
export interface HostList {
  readonly entries: readonly HostEntry[];
  /** What reasons call the list, such as the name of a setting. Default: `the allowed hosts`. */
  readonly name?: string;
}

/** The first invalid entry of a host list. */
export interface HostListFault {
  /** Position of the entry, from 0. */
  readonly index: number;
  /** What would be valid, as the continuation of the name of the entry: `must not contain spaces.` */
  readonly message: string;
}

const ALL: HostEntry = { kind: 'all', host: '', port: null };

/**
 * Reads a host list. An entry is `*` (every public host), a name (`api.github.com`), all subdomains of a name
 * (`*.example.org`) or an address (`10.0.0.7`, `[::1]`). All but `*` may be followed by `:` and a port.
 */
export function parseHostList(entries: readonly string[]): Result<HostList, HostListFault> {
  const parsed: HostEntry[] = [];
  for (const [index, text] of entries.entries()) {
    const entry = parseEntry(text);
    if (!entry.ok) return failure({ index, message: entry.error });
    parsed.push(entry.value);
  }
  return success({ entries: parsed });
}

/**
 * The entries that allow a connection which `upper` does not allow. Invalid entries are among them; those of `upper`
 * allow nothing.
 *
 * @param upper The list that must not be exceeded.
 */
export function widerEntries(
  upper: readonly string[],
  entries: readonly string[],
): readonly string[] {
  const allowed = validEntries(upper);
  return entries.filter((text) => {
    const entry = parseEntry(text);
    return !entry.ok || !allowed.some((one) => covers(one, entry.value));
  });
}

/** Reads a host list in which invalid entries allow nothing. */
export function validHosts(entries: readonly string[]): HostList {
  return { entries: validEntries(entries) };
}

function validEntries(texts: readonly string[]): readonly HostEntry[] {
  return texts.map(parseEntry).flatMap((entry) => (entry.ok ? [entry.value] : []));
}

/**
 * What two lists allow together, in their notation. Invalid entries allow nothing.
 *
 * @param names Entries as `parseHostList` reads them.
 */
export function intersectHosts(names: readonly string[], others: readonly string[]): string[] {
  const second = validEntries(others);
  const common = validEntries(names).flatMap((entry) =>
    second.flatMap((other) => commonEntry(entry, other) ?? []),
  );
  return [...new Set(common.map(entryText))];
}

/** An entry as it is written in a list. */
export function entryText({ kind, host, port }: HostEntry): string {
  if (kind === 'all') return '*';
  return authorityOf(kind === 'subdomains' ? `*.${host}` : host, port);
}

/** Whether an entry names or matches a normalized host and port. Says nothing about addresses for `all`. */
export function entryMatches(entry: HostEntry, host: string, port: number): boolean {
  if (entry.port !== null && entry.port !== port) return false;
  switch (entry.kind) {
    case 'all':
      return true;
    case 'subdomains':
      return !isAddress(host) && host.endsWith(`.${entry.host}`);
    default:
      return entry.host === host;
  }
}

function covers(upper: HostEntry, entry: HostEntry): boolean {
  return (upper.port === null || upper.port === entry.port) && coversHost(upper, entry);
}

function commonEntry(a: HostEntry, b: HostEntry): HostEntry | null {
  if (a.port !== null && b.port !== null && a.port !== b.port) return null;
  const narrower = coversHost(a, b) ? b : coversHost(b, a) ? a : null;
  return narrower && { ...narrower, port: a.port ?? b.port };
}

function coversHost(upper: HostEntry, entry: HostEntry): boolean {
  if (upper.kind === 'all') return entry.kind !== 'address' || isPublicAddress(entry.host);
  if (entry.kind === 'all') return false;
  if (upper.kind !== 'subdomains') return upper.kind === entry.kind && upper.host === entry.host;
  if (entry.kind === 'address') return false;
  return (
    entry.host.endsWith(`.${upper.host}`) ||
    (entry.kind === 'subdomains' && entry.host === upper.host)
  );
}

function parseEntry(text: string): Result<HostEntry, string> {
  if (text === '*') return success(ALL);
  const fault = formFault(text);
  if (fault !== null) return failure(fault);
  const split = splitPort(text);
  if (split === null) return failure(splitFault(text));
  const wildcard = split.host.startsWith('*.');
  const host = normalizeHost(wildcard ? split.host.slice(2) : split.host);
  if (host === null) return failure('must be a host name or an IP address.');
  const refusal = hostFault(host, wildcard);
  if (refusal !== null) return failure(refusal);
  if (isAddress(host)) return success({ kind: 'address', host, port: split.port });
  return success({ kind: wildcard ? 'subdomains' : 'name', host, port: split.port });
}

function formFault(text: string): string | null {
  if (text === '') return 'must not be empty. Remove it, or write a host such as `api.github.com`.';
  if (/\s|\p{Cc}/u.test(text)) return 'must not contain spaces or control characters.';
  if (/:\/\//.test(text)) {
    return 'must not contain a scheme. Write `api.github.com:443` instead of `https://api.github.com`.';
  }
  if (text.includes('@')) return 'must not contain a user name.';
  if (/^[^/]*\/\d{1,3}$/.test(text)) return 'must not be a network. List each address.';
  if (/[/\\?#]/.test(text))
    return 'must not contain a path or query. Write only the host and port.';
  if (text.includes('%')) return 'must not contain `%`. Write the host without encoding or zone.';
  if (text.startsWith('*:')) return 'must be `*` without a port, or name hosts.';
  return text.replace(/^\*\./, '').includes('*')
    ? 'must have `*` only as its whole first label, such as `*.example.org`.'
    : null;
}

function splitFault(text: string): string {
  if (text.startsWith('[')) {
    return 'must be an IPv6 address in brackets, with a port from 1 to 65535 or none, such as `[::1]:8080`.';
  }
  if (text.indexOf(':') !== text.lastIndexOf(':')) {
    return 'must have an IPv6 address in brackets, such as `[::1]:8080`.';
  }
  return text.startsWith(':') || text.includes(']')
    ? 'must be a host name or an IP address, such as `api.github.com:443`.'
    : 'must have a port from 1 to 65535, or none.';
}

function hostFault(host: string, wildcard: boolean): string | null {
  if (wildcard && isAddress(host)) return 'must not be `*` followed by an address.';
  if (isLocalhost(host)) {
    return 'must not be localhost. Write the address and port, such as `127.0.0.1:5432`.';
  }
  return host.startsWith('::ffff:')
    ? 'must not be an IPv6 form of an IPv4 address. Write the IPv4 address.'
    : null;
}
