import type { ManagementClient } from './clients.ts';
import { sha256 } from './tokens.ts';

/** The tokens of all clients, ready to be compared with a given one. */
export interface Credentials {
  /** The client that a token belongs to; null for an unknown token and for one bound to another instance. */
  clientOf(token: string): ManagementClient | null;
}

/** 32-bit words of one SHA-256 digest. */
const WORDS = 8;

/** Lays the digests of every token of every client side by side. */
export function createCredentials(clients: readonly ManagementClient[]): Credentials {
  const entries = clients.flatMap((client) => client.tokens.map((token) => ({ client, token })));
  const table = wordsOf(entries.map(({ token }) => token.digest));
  const refused = Int32Array.from(entries, ({ token }) => (token.binding === 'elsewhere' ? -1 : 0));
  return {
    clientOf(token) {
      const found = lastMatch(table, refused, wordsOf([sha256(token)]));
      return found < 0 ? null : (entries[found]?.client ?? null);
    },
  };
}

/**
 * The place of the last digest in the table that is the same as the given one and is not refused; -1 without one.
 *
 * Every digest is read in full, and nothing branches on what is found: the work depends on the size of the table alone.
 * JavaScript promises no times, as `timingSafeEqual` does. That is safe here because only digests are compared: a caller
 * cannot choose the bits of a digest without trying tokens, and all of its bits would not tell a token of 24 characters
 * or more. A call of `timingSafeEqual` for each digest costs nine times as much with a thousand clients.
 */
export function lastMatch(
  table: ArrayLike<number>,
  refused: ArrayLike<number>,
  given: ArrayLike<number>,
): number {
  const differs = (first: number, word: number): number =>
    (table[first + word] as number) ^ (given[word] as number);
  let found = -1;
  for (let entry = 0; entry < refused.length; entry += 1) {
    const first = entry * WORDS;
    const difference =
      differs(first, 0) |
      differs(first, 1) |
      differs(first, 2) |
      differs(first, 3) |
      differs(first, 4) |
      differs(first, 5) |
      differs(first, 6) |
      differs(first, 7);
    // All ones when any bit differs or the entry is refused, else all zeros.
    const miss = ((difference | (0 - difference)) >> 31) | (refused[entry] as number);
    found = (found & miss) | (entry & ~miss);
  }
  return found;
}

function wordsOf(digests: readonly Buffer[]): Int32Array {
  const words = new Int32Array(digests.length * WORDS);
  const bytes = new Uint8Array(words.buffer);
  digests.forEach((digest, n) => {
    bytes.set(digest, n * WORDS * Int32Array.BYTES_PER_ELEMENT);
  });
  return words;
}
