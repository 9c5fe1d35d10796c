import { normalizeHost, splitPort } from './host-name.ts';

/** The target of a request in absolute form. */
export interface RequestTarget {
  /** As written, an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and port as written, the value of the `Host` header. */
  readonly authority: string;
  /** Path and query, starts with `/`. */
  readonly path: string;
}

const HOP_BY_HOP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Reads the target of a request in absolute form; null if it has another form, another scheme or a user name. */
export function parseTarget(url: string): RequestTarget | null {
  const found = /^http:\/\/([^/?#]*)([^#]*)/i.exec(url);
  const authority = found?.[1] ?? '';
  const target = parseAuthority(authority, 80);
  const rest = found?.[2] ?? '';
  return target && { ...target, authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/**
 * Reads `host:port`.
 *
 * @param usual The port if none is written; null if there must be one.
 */
export function parseAuthority(
  text: string,
  usual: number | null,
): { readonly host: string; readonly port: number } | null {
  const split = splitPort(text);
  const port = split?.port ?? usual;
  if (split === null || port === null || normalizeHost(split.host) === null) return null;
  return { host: split.host, port };
}

/**
 * The headers to pass on, in their order, as names and values in turn.
 *
 * @param raw Names and values in turn.
 * @param without Further lower-case names to leave out.
 */
export function endToEnd(
  raw: readonly string[],
  without: readonly string[] = [],
): readonly (readonly [name: string, value: string])[] {
  const headers = raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [],
  );
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((option) => option.trim().toLowerCase()));
  const dropped = new Set([...HOP_BY_HOP, ...without, ...named]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}
