import { createHash } from 'node:crypto';
import type { Slug } from '@svc/records';

/**
 * Which of several processes looks after a project: each gives it a number, and the highest has it, so that who comes or goes
 * moves no more than its own share. Null where there is none.
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

// Asked for with each project, for each process that is there.
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

// The last step of MurmurHash3: each bit of what goes in changes half of those that come out.
function mixed(bits: number): number {
  let mix = bits;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
