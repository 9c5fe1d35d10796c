import { isIP } from 'node:net';

/**
 * The network that counts as one client: the first 64 bits of an IPv6 address, as `a:b:c:d::/64`. An IPv4 address,
 * also one inside an IPv6 address (mapped, or NAT64), and any text that is not an address are returned as they are.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase();
  if (isIP(bare) !== 6) return address;
  const inner = /^(?:::ffff:|64:ff9b::)(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
  if (inner !== undefined) return inner;
  const groups = groupsOf(bare);
  const holdsIpv4 = EMBEDDED.some((prefix) => prefix.every((group, at) => groups[at] === group));
  return holdsIpv4 ? groups.join(':') : `${groups.slice(0, 4).join(':')}::/64`;
}

// IPv4-mapped (RFC 4291), and the well-known prefix of NAT64 (RFC 6052).
const EMBEDDED: readonly (readonly string[])[] = [
  ['0', '0', '0', '0', '0', 'ffff'],
  ['64', 'ff9b', '0', '0', '0', '0'],
];

const GROUPS = 8;

function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const [first = [], last = []] = [before, after];
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last];
}
