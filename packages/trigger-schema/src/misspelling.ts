/** Synonyms of field names. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['event', 'on'],
  ['tz', 'timezone'],
]);

const LONGEST = 40;

/**
 * The known name that an unknown one was probably meant to be, or null: the same except for case, `_` and `-`, or
 * within two edits (an extra, missing or wrong letter, or two swapped), fewer for short names.
 */
export function meantName(unknown: string, known: readonly string[]): string | null {
  if (unknown.length > LONGEST) return null;
  const folded = fold(unknown);
  const same = known.find((name) => fold(name) === folded);
  if (same !== undefined) return same;
  const synonym = SYNONYMS.get(folded);
  if (synonym !== undefined && known.includes(synonym)) return synonym;
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const slips = distance(folded, fold(name));
    if (slips <= allowance(name) && slips < least) {
      best = name;
      least = slips;
    }
  }
  return best;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

// Two edits turn a word of four letters into any other word.
function allowance(name: string): number {
  return name.length >= 5 ? 2 : 1;
}

/** Minimum number of edits between two words (optimal string alignment distance). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, at(before, j - 2) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** A question with the most similar known name, preceded by a space; empty if none is similar. */
export function didYouMean(unknown: string, known: readonly string[]): string {
  const meant = meantName(unknown, known);
  return meant === null ? '' : ` Did you mean ${meant}?`;
}
