import { failure, type Result, success } from '@svc/core';
import { CURATED_FILES, type CuratedFile } from '@svc/projects';

/** The new text of one file. */
export interface CuratorSection {
  readonly file: CuratedFile;
  /** The text between the two marker lines, unchanged. */
  readonly text: string;
}

/**
 * Parses the sections in the answer of a curator: from a line `<!-- file: OVERVIEW.md -->` or `<!-- file: CHANGELOG.md
 * -->` to `<!-- end -->`, each marker alone on its line except for spaces. Outside of sections everything is ignored,
 * including fenced code (``` or ~~~) with any markers in it. Inside a section, a fence is ordinary text and markers
 * always count. If the markers do not match, the error names the line, counted from 1.
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
  return failure(`The section of ${open.file} that starts on line ${open.line} has no end.`);
}

interface OpenSection {
  readonly file: CuratedFile;
  readonly line: number;
  /** Start of its text. */
  readonly from: number;
}

interface Line {
  /** Without the end marker. */
  readonly text: string;
  readonly line: number;
  /** Start of this line, and of the next one. */
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

/** What a marker line starts: the section of a file, or, with null, it is an end marker. */
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
      : `A section starts on line ${line} inside the section of ${open.file}.`;
  }
  if (file === null) return `The end on line ${line} has no section to close.`;
  if (!CURATED_FILES.some((known) => known === file)) {
    return `The section on line ${line} is for "${nameOf(file)}"; it must be ${CURATED_FILES.join(' or ')}.`;
  }
  const isTwice = sections.some((section) => section.file === file);
  return isTwice ? `A second section of ${file} starts on line ${line}.` : null;
}

// The name comes from a model and is shown in terminals.
function nameOf(file: string): string {
  const characters = [...file.replace(/\p{C}/gu, '\ufffd')];
  const short = characters.slice(0, LONGEST_NAME - 1).join('');
  return characters.length > LONGEST_NAME ? `${short}…` : characters.join('');
}

// As in Markdown: a fence ends with the same character, at least as many times, and nothing after it.
function fenceAfter(open: string | null, line: string): string | null {
  const found = /^(`{3,}|~{3,})(.*)$/.exec(line);
  const [, sign = '', rest = ''] = found ?? [];
  if (open === null) return sign === '' || (sign[0] === '`' && rest.includes('`')) ? null : sign;
  const isEnd = sign[0] === open[0] && sign.length >= open.length && rest === '';
  return isEnd ? null : open;
}
