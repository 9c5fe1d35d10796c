import { abridged } from '@svc/core';
import { MOST_NETWORK_ENTRIES, type RunNetwork } from '@svc/records';

// The longest name that DNS allows.
const LONGEST_HOST = 253;
const LONGEST_REASON = 500;

/**
 * The stored form of a network record: at most 100 entries of each kind, with texts of limited length.
 *
 * @param clean removes secrets and characters that cannot be stored.
 */
export function keptNetwork(network: RunNetwork, clean: (text: string) => string): RunNetwork {
  const host = (text: string): string => abridged(clean(text), LONGEST_HOST);
  return {
    reached: network.reached
      .slice(0, MOST_NETWORK_ENTRIES)
      .map((entry) => ({ ...entry, host: host(entry.host) })),
    refused: network.refused.slice(0, MOST_NETWORK_ENTRIES).map((entry) => ({
      ...entry,
      host: host(entry.host),
      reason: abridged(clean(entry.reason), LONGEST_REASON),
    })),
    ...(network.more && { more: network.more }),
  };
}
