import ipaddr from 'ipaddr.js';

// Azure serves its virtual machines from this address of the public range. It is reachable only from inside.
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** Whether a text is an IP address, an IPv4 address in dotted form or an IPv6 address without brackets. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/**
 * Whether an IP address is a public one: global unicast. Loopback, link-local, private, unique-local, shared (RFC
 * 6598), multicast and reserved addresses are not, nor IPv6 forms that carry an IPv4 address or a zone. Neither is
 * the platform service of Azure, nor anything that is no address.
 */
export function isPublicAddress(text: string): boolean {
  // An address with a zone is for one interface.
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (PLATFORM_ADDRESSES.has(address.toString())) return false;
  if (address.range() !== 'unicast') return false;
  // 2000::/3 is the only IPv6 range that is assigned for global unicast so far.
  return address.kind() === 'ipv4' || address.match(ipaddr.parse('2000::'), 3);
}
