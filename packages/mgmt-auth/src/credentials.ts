import { timingSafeEqual } from 'node:crypto';
import type { ManagementClient } from './clients.ts';
import { sha256 } from './tokens.ts';

/** The tokens of all clients, for comparison with a presented one. */
export interface Credentials {
  /** The client of a token; null for an unknown token and for one bound to another instance. */
  clientOf(token: string): ManagementClient | null;
}

/** Creates credentials from the digests of every token of every client. */
export function createCredentials(clients: readonly ManagementClient[]): Credentials {
  const entries = clients.flatMap((client) => client.tokens.map((token) => ({ client, token })));
  const digests = entries.map(({ token }) => token.digest);
  return {
    clientOf(token) {
      const entry = entries[lastEqual(digests, sha256(token))];
      return entry === undefined || entry.token.binding === 'elsewhere' ? null : entry.client;
    },
  };
}

/**
 * The index of the last digest that equals the given one; -1 without one.
 * Every digest is compared in constant time, also after a match, so that the time depends only on their number.
 */
export function lastEqual(
  digests: readonly Buffer[],
  given: Buffer,
  isEqual: typeof timingSafeEqual = timingSafeEqual,
): number {
  let found = -1;
  for (let place = 0; place < digests.length; place += 1) {
    if (isEqual(digests[place] as Buffer, given)) found = place;
  }
  return found;
}
