import { failure, type Result, success } from '@svc/core';
import { CURATED_FILES, type CuratedFile } from '@svc/projects';

/** The new text of one file. */
export interface CuratorSection {
  readonly file: CuratedFile;
  /** What stands between the line of the file and the line of the end, to the letter. */
  readonly text: string;
}

/**
 * Reads the sections of a curator's answer: the lines from `<!-- file: OVERVIEW.md -->` or `<!-- file: CHANGELOG.md -->`
 * to `<!-- end -->`, each marker alone on its line, blanks around it aside.
 *
 * Outside a section everything else is left out, and so is fenced code (``` or ~~~) with whatever markers it holds. In a
 * section a fence is text like any other: what looks like a marker there is one. Where the markers do not fit together
 * the fault says so, with the line, counted from 1.
 */
export function parseSections(answer: string): Result<readonly CuratorSection[], string> {
  const sections: CuratorSection[] = [];
  let open: OpenSection | null = null;
  let fence: string | null = null;
  for (const { text, line, from, next } of linesOf(answer)) {
    const marker = fence === null ? markerOf(text) : null;
    if (marker === null) {
      if (open === null) fence = fenceAfter(fence, text);
      continue;
    }
    const fault = faultOf(marker, line, { open, sections });
    if (fault !== null) return failure(fault);
    if (open !== null) sections.push({ file: open.file, text: answer.slice(open.from, from) });
    open = open === null ? { file: marker.file as CuratedFile, line, from: next } : null;
  }
  if (open === null) return success(sections);
  return failure(`The section of ${open.file} that starts in line ${open.line} has no end.`);
}

interface OpenSection {
  readonly file: CuratedFile;
  readonly line: number;
  /** Where its text begins. */
  readonly from: number;
}

interface Line {
  /** Without its end. */
  readonly text: string;
  readonly line: number;
  /** Where it begins, and where the next one does. */
  readonly from: number;
  readonly next: number;
}

function* linesOf(answer: string): Generator<Line> {
  let from = 0;
  for (let line = 1; from < answer.length; line += 1) {
    const end = answer.indexOf('\n', from);
    const next = end === -1 ? answer.length : end + 1;
    yield { text: answer.slice(from, end === -1 ? next : end).trim(), line, from, next };
    from = next;
  }
}

/** What a line begins: the section of a file, or, with null, nothing: it is an end. */
interface Marker {
  readonly file: string | null;
}

const FILE = /^<!--[ \t]*file:(.*)-->$/;
const END = /^<!--[ \t]*end[ \t]*-->$/;

function markerOf(line: string): Marker | null {
  if (END.test(line)) return { file: null };
  const named = FILE.exec(line)?.[1];
  return named === undefined ? null : { file: named.trim() };
}

const LONGEST_NAME = 60;

function faultOf(
  { file }: Marker,
  line: number,
  { open, sections }: { open: OpenSection | null; sections: readonly CuratorSection[] },
): string | null {
  if (open !== null) {
    return file === null
      ? null
      : `A section starts in line ${line} inside the section of ${open.file}.`;
  }
  if (file === null) return `The end in line ${line} has no section to close.`;
  if (!CURATED_FILES.some((known) => known === file)) {
    return `The section in line ${line} is for "${nameOf(file)}"; it must be ${CURATED_FILES.join(' or ')}.`;
  }
  const isTwice = sections.some((section) => section.file === file);
  return isTwice ? `A second section of ${file} starts in line ${line}.` : null;
}

// It comes from a model, and is read on terminals.
function nameOf(file: string): string {
  const characters = [...file.replace(/\p{C}/gu, '\ufffd')];
  const short = characters.slice(0, LONGEST_NAME - 1).join('');
  return characters.length > LONGEST_NAME ? `${short}…` : characters.join('');
}

// As in Markdown: a fence ends with one of the same sign that is as long at least, and nothing behind it.
function fenceAfter(open: string | null, line: string): string | null {
  const found = /^(`{3,}|~{3,})(.*)$/.exec(line);
  const [, sign = '', rest = ''] = found ?? [];
  if (open === null) return sign === '' || (sign[0] === '`' && rest.includes('`')) ? null : sign;
  const isEnd = sign[0] === open[0] && sign.length >= open.length && rest === '';
  return isEnd ? null : open;
}
