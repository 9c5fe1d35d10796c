import { createHash } from 'node:crypto';
import type { Slug } from '@svc/records';

/**
 * The server that owns a project: each server gives the project a number, and the highest number wins. A server that
 * joins or leaves moves only its own share. null if there is no server.
 */
export function holderOf(project: Slug, ids: readonly string[]): string | null {
  const own = numberOf(project);
  let [best, most]: [string | null, number] = [null, -1];
  for (const id of ids) {
    const weight = mixed(own ^ numberOf(id));
    if (weight > most) [best, most] = [id, weight];
  }
  return best;
}

// Computed for each project and each live server.
const numbers = new Map<string, number>();
const MOST_NUMBERS = 100_000;

function numberOf(name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  if (numbers.size >= MOST_NUMBERS) numbers.clear();
  const number = createHash('sha1').update(name).digest().readUInt32BE();
  numbers.set(name, number);
  return number;
}

// The final step of MurmurHash3: each input bit changes half of the output bits.
function mixed(bits: number): number {
  let mix = bits;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
