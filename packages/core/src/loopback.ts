import { isIP } from 'node:net';

/** Whether an IP address is this machine's own in every spelling: 127.0.0.0/8 and ::1, IPv4-mapped and with a zone too. */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const version = isIP(address);
  if (version === 4) return address.startsWith('127.');
  return version === 6 && (address === '::1' || LOOPBACK_V6.test(canonical(address)));
}

/** Whether a host name is this machine's own: `localhost`, what ends in `.localhost`, and its addresses, in brackets or not. */
export function isLoopbackName(name: string): boolean {
  const plain = name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (plain === 'localhost' || plain.endsWith('.localhost')) return true;
  return isLoopbackAddress(plain);
}

const LOOPBACK_V6 = /^\[::(?:1|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/;

// A URL has one spelling for each address.
function canonical(address: string): string {
  const host = `http://[${address.replace(/%.*$/, '')}]`;
  return URL.canParse(host) ? new URL(host).hostname : '';
}
