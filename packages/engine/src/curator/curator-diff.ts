import { cutTo } from '@svc/agent-runtime';
import { counted } from '@svc/core';
import type { CuratedChange } from '@svc/projects';
import { type StructuredPatch, structuredPatch } from 'diff';

/** Changes of files, as a sentence and as a unified diff. */
export interface ChangeDescription {
  /** Such as `OVERVIEW.md: 3 lines added, 1 removed; CHANGELOG.md: created, 4 lines.` */
  readonly words: string;
  /** At most 16 KiB, truncated with a mark. */
  readonly diff: string;
}

const MOST_BYTES = 16 * 1024;
// Beyond this many changed lines, the texts have little in common, and computing a diff takes too long.
const MOST_EDITS = 1000;

/** Describes changes of one or more files. */
export function describeChanges(changes: readonly CuratedChange[]): ChangeDescription {
  const described = changes.map(describeChange);
  return {
    words: `${described.map(({ words }) => words).join('; ')}.`,
    diff: cutTo(MOST_BYTES, described.map(({ diff }) => diff).join('\n')),
  };
}

function describeChange({ file, before, after }: CuratedChange): ChangeDescription {
  const lines = hunkLines(before ?? '', after);
  const path = `.svc/${file}`;
  const head = [`--- ${before === null ? '/dev/null' : path}`, `+++ ${path}`];
  return {
    words: `${file}: ${before === null ? createdText(lines) : changedText(lines)}`,
    diff: [...head, ...lines].join('\n'),
  };
}

function createdText(lines: readonly string[]): string {
  return `created, ${counted(countOf('+', lines), 'line')}`;
}

function changedText(lines: readonly string[]): string {
  const added = countOf('+', lines);
  const removed = countOf('-', lines);
  if (added === 0) return `${counted(removed, 'line')} removed`;
  return `${counted(added, 'line')} added${removed === 0 ? '' : `, ${removed} removed`}`;
}

function countOf(sign: '+' | '-', lines: readonly string[]): number {
  return lines.filter((line) => line.startsWith(sign)).length;
}

function hunkLines(before: string, after: string): readonly string[] {
  const found = structuredPatch('', '', before, after, '', '', {
    context: 3,
    maxEditLength: MOST_EDITS,
  });
  return (found ?? wholePatch(before, after)).hunks.flatMap((hunk) => [
    `@@ -${rangeOf(hunk.oldStart, hunk.oldLines)} +${rangeOf(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
}

function rangeOf(start: number, lines: number): string {
  // For an empty range, the format gives the line before it.
  return lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;
}

// Removes everything and inserts everything.
function wholePatch(before: string, after: string): Pick<StructuredPatch, 'hunks'> {
  const [old, now] = [linesOf(before), linesOf(after)];
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  const lengths = { oldLines: old.length, newLines: now.length };
  return { hunks: [{ oldStart: 1, newStart: 1, ...lengths, lines }] };
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
