import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is a public one: global unicast. Loopback, link-local, private, unique-local, shared (RFC
 * 6598), multicast and reserved addresses are not, nor IPv6 forms that carry an IPv4 address. Anything that is no
 * address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  // 2000::/3 is the only IPv6 range that is assigned for global unicast so far.
  return address.kind() === 'ipv4' || address.match(ipaddr.parse('2000::'), 3);
}
