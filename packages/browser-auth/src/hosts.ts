import { isIP } from 'node:net';

/** The name part of a Host header or `host[:port]`, lower case, without brackets; null when it is not one. */
export function hostnameOf(host: string): string | null {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/.exec(host.trim());
  const name = match?.[1]?.toLowerCase().replace(/^\[|\]$/g, '');
  return name === undefined || name === '' ? null : name.replace(/\.$/, '');
}

/**
 * Whether a Host name cannot have been chosen by a hostile page: an IP literal, `localhost`, `*.localhost`, or a name
 * without a dot (DNS rebinding needs a public name).
 */
export function isLocalName(name: string): boolean {
  if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return true;
  return !name.includes('.') && !name.includes(':');
}
