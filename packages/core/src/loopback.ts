import { isIP } from 'node:net';

/**
 * Whether an IP address, in any spelling, is a loopback address: 127.0.0.0/8 and ::1, also IPv4-mapped and with a
 * zone.
 */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const version = isIP(address);
  if (version === 4) return address.startsWith('127.');
  return version === 6 && (address === '::1' || LOOPBACK_V6.test(canonical(address)));
}

/**
 * Whether a host name is a loopback name: `localhost`, names that end in `.localhost`, and loopback addresses with
 * or without brackets.
 */
export function isLoopbackName(name: string): boolean {
  const plain = name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (plain === 'localhost' || plain.endsWith('.localhost')) return true;
  return isLoopbackAddress(plain);
}

const LOOPBACK_V6 = /^\[::(?:1|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/;

// Parsing as a URL normalizes the spelling of an address.
function canonical(address: string): string {
  const host = `http://[${address.replace(/%.*$/, '')}]`;
  return URL.canParse(host) ? new URL(host).hostname : '';
}
