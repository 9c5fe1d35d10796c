/** What to replace: every place where some bytes stand. */
export interface Replacement {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** How often `before` stands in the text, as `countBytes` tells. */
  readonly places: number;
}

/**
 * How often a piece (not empty) stands in a text, counted from the start without overlaps. Bytes are as good as
 * characters here: in UTF-8 no character starts within another.
 *
 * @param pause Called often, so that a large text holds nobody else up.
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

/** The text with every place replaced, made in one buffer of exactly its size. */
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

// Knuth, Morris and Pratt: the search that the platform offers takes minutes for some pieces of 100 KB.
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

// For each beginning of the piece: the length of its longest proper beginning that is its end too.
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
