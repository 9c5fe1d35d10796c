// @ts-check

/**
 * A seeded pseudo-random generator.
 *
 * @typedef {{
 *   next(): number,
 *   int(least: number, most: number): number,
 *   chance(share: number): boolean,
 *   pick<T>(all: readonly T[]): T,
 * }} Random
 */

/** @param {number} seed @returns {Random} */
export function createRandom(seed) {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (/** @type {number} */ least, /** @type {number} */ most) =>
    least + Math.floor(next() * (most - least + 1));
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick(all) {
      const one = all[int(0, all.length - 1)];
      if (one === undefined) throw new TypeError('Nothing to pick from.');
      return one;
    },
  };
}

/** The seed of one round of a plan. @param {number} seed @param {number} round */
export function seedOfRound(seed, round) {
  return (Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b)) >>> 0;
}
