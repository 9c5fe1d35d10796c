import { timingSafeEqual } from 'node:crypto';
import type { ManagementClient } from './clients.ts';
import { sha256 } from './tokens.ts';

/** The tokens of all clients, ready to be compared with a given one. */
export interface Credentials {
  /** The client that a token belongs to; null for an unknown token and for one bound to another instance. */
  clientOf(token: string): ManagementClient | null;
}

/** Holds the digests of every token of every client. */
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
 * The place of the last digest that is the same as the given one; -1 without one.
 *
 * Every digest is compared in constant time, also after a match, so that the time taken depends on their number alone.
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
