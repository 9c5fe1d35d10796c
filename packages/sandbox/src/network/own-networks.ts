import ipaddr from 'ipaddr.js';

/** The network configuration of the system, read again for each page. */
export interface NetworkTables {
  /** Addresses of its interfaces. */
  addresses(): readonly string[];
  /** The Linux table `/proc/net/<name>`; `''` if it does not exist. */
  table(name: 'fib_trie' | 'if_inet6' | 'ipv6_route'): Promise<string>;
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Creates a test for addresses that belong to this machine, by its interfaces and routes. */
export async function ownAddressTest(tables: NetworkTables): Promise<(address: string) => boolean> {
  const [trie, inet6, route6] = await Promise.all([
    tables.table('fib_trie'),
    tables.table('if_inet6'),
    tables.table('ipv6_route'),
  ]);
  const single = tables.addresses().filter(ipaddr.isValid).map(alone);
  const own = [...single, ...localRoutes(trie), ...interfaces6(inet6), ...localRoutes6(route6)];
  return (text) => {
    const address = ipaddr.parse(text);
    return own.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
}

function alone(text: string): Network {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

// Other tables apply only to some traffic, and transparent proxies list all addresses as local in them.
function localRoutes(trie: string): readonly Network[] {
  const found: Network[] = [];
  let counts = false;
  let address = '';
  for (const line of trie.split('\n')) {
    if (/^\S/.test(line)) counts = /^(?:Main|Local):/.test(line);
    address = /\|-- (\S+)/.exec(line)?.[1] ?? address;
    const bits = /^\s+\/(\d+) \S+ (?:LOCAL|BROADCAST|ANYCAST)\b/.exec(line)?.[1];
    if (counts && bits !== undefined && ipaddr.IPv4.isValid(address)) {
      found.push([ipaddr.IPv4.parse(address), Number(bits)]);
    }
  }
  return found;
}

function interfaces6(table: string): readonly Network[] {
  return rows(table).flatMap(([address = '']) => network6(address, 128));
}

const RTF_LOCAL = 0x8000_0000;
const RTF_ANYCAST = 0x0010_0000;

function localRoutes6(table: string): readonly Network[] {
  return rows(table).flatMap((row) => {
    const [address = '', bits = ''] = row;
    const flags = Number.parseInt(row[8] ?? '', 16);
    const local = Math.floor(flags / RTF_LOCAL) % 2 === 1 || (flags & RTF_ANYCAST) !== 0;
    const length = Number.parseInt(bits, 16);
    // This file merges all tables, so a local route for all addresses is ignored: only transparent proxies add one.
    return local && length > 0 ? network6(address, length) : [];
  });
}

function rows(table: string): readonly (readonly string[])[] {
  return table.split('\n').map((line) => line.trim().split(/\s+/));
}

function network6(hex: string, bits: number): readonly Network[] {
  if (!/^[0-9a-f]{32}$/i.test(hex)) return [];
  return [[new ipaddr.IPv6([...Buffer.from(hex, 'hex')]), bits]];
}
