import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import type { NetworkTables } from '../own-networks.ts';
import { codeOf } from './error-code.ts';

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
        // Another system than Linux, or one without IPv6: its interfaces tell.
        if (codeOf(error) === 'ENOENT') return '';
        throw error;
      }
    },
  };
}
