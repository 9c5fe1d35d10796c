/** A line of a diff: unchanged, removed or added. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** A displayed line; an empty sign marks a file header, and null marks omitted unchanged lines. */
export type ShownLine = DiffLine | { readonly sign: ''; readonly text: string } | null;

// The maximum number of compared pairs of lines: more would freeze the page or exhaust the memory.
const MOST_PAIRS = 1_000_000;

/** Computes the shortest line diff of two texts; texts that differ in too many lines are replaced as a whole. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...signed(' ', old.slice(0, head)),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...signed(' ', old.slice(old.length - tail)),
  ];
}

function signed(sign: DiffLine['sign'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ sign, text }));
}

// Common lines at both ends are already removed, so about one trigger remains.
function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > MOST_PAIRS) return [...signed('-', old), ...signed('+', now)];
  const common = commonLengths(old, now);
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ sign: ' ', text: String(old[i]) });
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: String(old[i]) });
      i += 1;
    } else {
      lines.push({ sign: '+', text: String(now[j]) });
      j += 1;
    }
  }
  return lines;
}

// The length of the longest common subsequence of both texts from each pair of positions.
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () =>
    new Array<number>(now.length + 1).fill(0),
  );
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] as number[];
      const below = lengths[i + 1] as number[];
      row[j] =
        old[i] === now[j]
          ? Number(below[j + 1]) + 1
          : Math.max(Number(below[j]), Number(row[j + 1]));
    }
  }
  return lengths;
}

/** The changed lines with this many unchanged lines around them; null marks omitted unchanged lines. */
export function hunksOf(lines: readonly DiffLine[], around: number): (DiffLine | null)[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' '),
  );
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line];
    return isNear[at + 1] && at > 0 ? [null] : [];
  });
}
