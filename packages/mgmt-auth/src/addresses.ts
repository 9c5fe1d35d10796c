import { BlockList, isIP } from 'node:net';

/** A set of IP addresses. */
export interface AddressSet {
  /**
   * True if the set contains the address, IPv4 or IPv6. Only the set of all addresses contains an unknown address.
   */
  has(address: string | undefined): boolean;
}

/** Result of `parseAddressSet`. */
export interface ParsedAddressSet {
  readonly set: AddressSet;
  /** Invalid entries; they add nothing to the set. */
  readonly unknown: readonly string[];
}

const PRESETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['none', []],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** The default trusted proxies: private addresses, and the shared address space of RFC 6598. */
export const DEFAULT_PROXIES: readonly string[] = [
  'loopback',
  'linklocal',
  'uniquelocal',
  '100.64.0.0/10',
];

/** Parses IP addresses, CIDR ranges and the names `loopback`, `linklocal`, `uniquelocal`, `none` and `all`. */
export function parseAddressSet(entries: readonly string[]): ParsedAddressSet {
  const list = new BlockList();
  const wanted = entries.map((entry) => entry.trim());
  const unknown = wanted.filter((entry) => {
    if (entry === 'all') return false;
    const ranges = PRESETS.get(entry) ?? [entry];
    return !ranges.every((range) => addRange(list, range));
  });
  const all = wanted.includes('all');
  const isKnown = createMemory((address) => isListed(list, address));
  return { set: { has: (address) => all || (address !== undefined && isKnown(address)) }, unknown };
}

const REMEMBERED = 1000;

// A few peers send nearly all requests, and checking an address takes longer than the rest of the gate.
function createMemory(ask: (address: string) => boolean): (address: string) => boolean {
  const answers = new Map<string, boolean>();
  return (address) => {
    const known = answers.get(address);
    if (known !== undefined) return known;
    const answer = ask(address);
    if (answers.size >= REMEMBERED) answers.clear();
    // A longer text is not an address.
    if (address.length < 64) answers.set(address, answer);
    return answer;
  };
}

function addRange(list: BlockList, range: string): boolean {
  const [address = '', length, ...rest] = range.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  const bits = version === 4 ? 32 : 128;
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > bits)) return false;
  list.addSubnet(address, Number(length ?? bits), version === 4 ? 'ipv4' : 'ipv6');
  return true;
}

function isListed(list: BlockList, address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  const version = isIP(bare);
  return version !== 0 && list.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}
