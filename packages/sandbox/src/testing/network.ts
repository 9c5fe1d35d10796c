import type { NetworkTables } from '../network/own-networks.ts';

const FIB_TRIE = `Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 93.184.216.0/24 2 0 2
        |-- 93.184.216.0
           /24 link UNICAST
        |-- 93.184.216.255
           /32 link BROADCAST
Local:
  +-- 45.33.0.0/16 2 0 2
     |-- 45.33.32.0
        /24 host LOCAL
        /20 link UNICAST
     |-- 93.184.216.34
        /32 host LOCAL
Id 100:
     |-- 0.0.0.0
        /0 host LOCAL
`;
const ROUTE6 = `26064700000000000000000000000000 20 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000400 00000001 00000000 80200001       lo
26200000000000000000000000000000 20 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000400 00000001 00000000 00000001     eth0
2a000000000000000000000000000000 80 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000400 00000001 00000000 00100001     eth0
${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000400 00000001 00000000 80200001       lo
`;
const TABLES = {
  fib_trie: FIB_TRIE,
  if_inet6: '2a01000000000000000000000000abcd 02 40 00 80     eth0\n',
  ipv6_route: ROUTE6,
};
/** A machine with public addresses on its interfaces, and local routes for whole networks. */
export const network: NetworkTables = {
  addresses: () => ['8.8.4.4', '2a02::7', 'fe80::1%eth0'],
  table: async (name) => TABLES[name],
};
