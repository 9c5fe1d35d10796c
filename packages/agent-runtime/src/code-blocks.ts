/** A piece of a Markdown text: lines outside of fences, or one fenced code block. */
export type MarkdownPart =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  | {
      readonly kind: 'block';
      /** 1-based line of the opening fence. */
      readonly line: number;
      /** Info string, trimmed. */
      readonly info: string;
      readonly content: readonly string[];
      /** The source of the block, including its fences. */
      readonly lines: readonly string[];
      readonly closed: boolean;
    };

const BACKTICKS = /^( {0,3})(`{3,})([^`]*)$/;
const TILDES = /^( {0,3})(~{3,})(.*)$/;

// The first two kinds of HTML blocks in CommonMark. Their content, including code fences, is not Markdown.
const HTML: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /^ {0,3}<!--/, end: /-->/ },
  {
    start: /^ {0,3}<(?:pre|script|style|textarea)(?:[\s>]|$)/i,
    end: /<\/(?:pre|script|style|textarea)>/i,
  },
];

/**
 * Splits Markdown into fenced code blocks and the text between them, by the rules of CommonMark 0.31 (sections 4.5
 * and 4.6) as far as they concern lines: three or more backticks or tildes, indented by at most three spaces, closed
 * by a fence of the same character that is at least as long. Fences inside quotes, lists and HTML comments are text.
 */
export function splitBlocks(markdown: string): readonly MarkdownPart[] {
  const lines = markdown.split(/\r\n|\n|\r/);
  const parts: MarkdownPart[] = [];
  let text: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const open = openingOf(lines[at] ?? '');
    if (open === null) {
      for (const end = textEnd(lines, at); at < end; at += 1) text.push(lines[at] ?? '');
      continue;
    }
    if (text.length > 0) parts.push({ kind: 'text', lines: text });
    text = [];
    const block = blockAt(lines, at, open);
    parts.push(block);
    at += block.lines.length;
  }
  if (text.length > 0) parts.push({ kind: 'text', lines: text });
  return parts;
}

function openingOf(line: string): RegExpExecArray | null {
  return BACKTICKS.exec(line) ?? TILDES.exec(line);
}

// Skips the line, or the whole HTML block that starts on it.
function textEnd(lines: readonly string[], from: number): number {
  const html = HTML.find(({ start }) => start.test(lines[from] ?? ''));
  return html === undefined ? from + 1 : htmlEnd(lines, from, html.end) + 1;
}

function htmlEnd(lines: readonly string[], from: number, end: RegExp): number {
  for (let at = from; at < lines.length; at += 1) {
    if (end.test(lines[at] ?? '')) return at;
  }
  return lines.length - 1;
}

function blockAt(
  lines: readonly string[],
  from: number,
  open: RegExpExecArray,
): MarkdownPart & { readonly kind: 'block' } {
  const [, indent = '', marks = '', info = ''] = open;
  const end = blockEnd(lines, from + 1, marks);
  const content = lines.slice(from + 1, end ?? lines.length);
  return {
    kind: 'block',
    line: from + 1,
    info: info.trim(),
    content: content.map((line) => unindented(line, indent.length)),
    lines: lines.slice(from, end === null ? lines.length : end + 1),
    closed: end !== null,
  };
}

function blockEnd(lines: readonly string[], from: number, marks: string): number | null {
  const closing = new RegExp(`^ {0,3}${marks.charAt(0)}{${marks.length},}[ \\t]*$`);
  for (let at = from; at < lines.length; at += 1) {
    if (closing.test(lines[at] ?? '')) return at;
  }
  return null;
}

function unindented(line: string, width: number): string {
  let at = 0;
  while (at < width && line[at] === ' ') at += 1;
  return line.slice(at);
}
