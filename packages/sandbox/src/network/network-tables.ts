import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import type { NetworkTables } from './own-networks.ts';

/** Reads the network tables of this machine. */
export function createNetworkTables(): NetworkTables {
  return {
    addresses: () =>
      Object.values(networkInterfaces()).flatMap((all) =>
        (all ?? []).map(({ address }) => address),
      ),
    async table(name) {
      try {
        return await readFile(`/proc/net/${name}`, 'utf8');
      } catch (error) {
        // The table does not exist on other systems or without IPv6. The interfaces are used instead.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
        throw error;
      }
    },
  };
}
