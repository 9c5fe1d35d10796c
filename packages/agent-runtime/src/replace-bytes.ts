/** A replacement of all occurrences. */
export interface Replacement {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Number of occurrences of `before`, from `countBytes`. */
  readonly places: number;
}

/**
 * Counts the non-overlapping occurrences of a non-empty pattern. Comparing bytes is correct for UTF-8, because no
 * character starts within another.
 *
 * @param pause Called often, so that a large text does not block the event loop.
 */
export async function countBytes(
  text: Uint8Array,
  piece: Uint8Array,
  pause: () => Promise<void>,
): Promise<number> {
  let places = 0;
  await eachPlace(text, piece, pause, () => {
    places += 1;
  });
  return places;
}

/** Replaces all occurrences, in one buffer of the exact size. */
export async function replaceBytes(
  text: Uint8Array,
  { before, after, places }: Replacement,
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const made = new Uint8Array(text.length + places * (after.length - before.length));
  let from = 0;
  let to = 0;
  await eachPlace(text, before, pause, (at) => {
    made.set(text.subarray(from, at), to);
    to += at - from;
    made.set(after, to);
    to += after.length;
    from = at + before.length;
  });
  made.set(text.subarray(from), to);
  return made;
}

const OFTEN = 10_000;

// Knuth-Morris-Pratt, because `Buffer.indexOf` takes minutes for some patterns of 100 KB.
async function eachPlace(
  text: Uint8Array,
  piece: Uint8Array,
  pause: () => Promise<void>,
  on: (at: number) => void,
): Promise<void> {
  const borders = await bordersOf(piece, pause);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at % OFTEN === 0) await pause();
    while (matched > 0 && text[at] !== piece[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === piece[matched]) matched += 1;
    if (matched < piece.length) continue;
    on(at + 1 - matched);
    matched = 0;
  }
}

// For each prefix of the pattern: the length of its longest proper prefix that is also a suffix.
async function bordersOf(piece: Uint8Array, pause: () => Promise<void>): Promise<Int32Array> {
  const borders = new Int32Array(piece.length);
  let length = 0;
  for (let at = 1; at < piece.length; at += 1) {
    if (at % OFTEN === 0) await pause();
    while (length > 0 && piece[at] !== piece[length]) length = borders[length - 1] ?? 0;
    if (piece[at] === piece[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
