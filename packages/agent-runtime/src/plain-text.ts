import { stripVTControlCharacters } from 'node:util';

// Line feed and tab are all that is left of what steers a terminal.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text as somebody would read it on paper: without colours and other commands to a terminal, of a line that was
 * overwritten (`\r`) the last version, without control characters and halves of surrogate pairs.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .split('\n')
    .map(lastVersion)
    .join('\n')
    .replace(CONTROLS, '')
    .toWellFormed();
}

// By hand, because an expression takes the square of the time on a line without an end.
function lastVersion(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(end === 0 ? 0 : line.lastIndexOf('\r', end - 1) + 1, end);
}

const NODE = /^Node\.js v\d/;
const FRAME = /^\s+at\s/;
const ERROR = /^(Uncaught )?\w*(Error|Exception)\b/;

/** What a program complained of last: the last line, or of what Node prints of a program that broke, its error. */
export function complaintOf(text: string): string {
  const lines = plainText(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (!NODE.test(lines.at(-1) ?? '')) return lines.at(-1)?.trim() ?? '';
  const told = lines.filter((line) => !NODE.test(line) && !FRAME.test(line));
  return (told.findLast((line) => ERROR.test(line)) ?? told.at(-1) ?? '').trim();
}

/** The last line with something in it, as plain text; `''` without one. */
export function lastLine(text: string): string {
  const lines = plainText(text).split('\n');
  return lines.findLast((line) => line.trim() !== '')?.trim() ?? '';
}
