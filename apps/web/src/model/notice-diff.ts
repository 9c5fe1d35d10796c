import type { ShownLine } from './line-diff.ts';

/** A diff in a chat notice: what the service wrote in a project. */
export interface NoticeDiff {
  /** The sentence before the changes. */
  readonly words: string;
  readonly lines: readonly ShownLine[];
}

/** Parses a notice that consists of a sentence and a fenced unified diff; null for any other notice. */
export function parseNoticeDiff(text: string): NoticeDiff | null {
  const [words = '', open = '', ...rest] = text.split('\n');
  const fence = /^(`{3,})diff$/.exec(open)?.[1];
  if (fence === undefined || rest.at(-1) !== fence) return null;
  return { words, lines: linesOf(rest.slice(0, -1)) };
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

// The hunk header determines which lines belong to the hunk: a changed line may look like a file header.
function linesOf(diffLines: readonly string[]): ShownLine[] {
  const lines: ShownLine[] = [];
  let left = { old: 0, now: 0 };
  for (const line of diffLines) {
    const [sign] = line;
    const hunk = HUNK.exec(line);
    if (left.old + left.now > 0 && isSign(sign)) {
      lines.push({ sign, text: line.slice(1) });
      left = { old: left.old - Number(sign !== '+'), now: left.now - Number(sign !== '-') };
    } else if (hunk !== null) {
      left = { old: Number(hunk[1] ?? 1), now: Number(hunk[2] ?? 1) };
      if (lines.at(-1)?.sign !== '') lines.push(null);
    } else if (!line.startsWith('--- ')) {
      lines.push({ sign: '', text: line.replace(/^\+\+\+ /, '') });
    }
  }
  return lines;
}

function isSign(sign: string | undefined): sign is ' ' | '-' | '+' {
  return sign === ' ' || sign === '-' || sign === '+';
}
