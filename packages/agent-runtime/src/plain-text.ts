import { stripVTControlCharacters } from 'node:util';

// Only line feed and tab are kept.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text as a terminal would finally show it: without escape sequences, control characters and lone surrogates, and with
 * only the last version of a line that was overwritten (`\r`).
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .split('\n')
    .map(lastVersion)
    .join('\n')
    .replace(CONTROLS, '')
    .toWellFormed();
}

// Parsed by hand, because a regular expression takes quadratic time on a very long line.
function lastVersion(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(end === 0 ? 0 : line.lastIndexOf('\r', end - 1) + 1, end);
}

const NODE = /^Node\.js v\d/;
const FRAME = /^\s+at\s/;
const ERROR = /^(Uncaught )?\w*(Error|Exception)\b/;

/**
 * The most informative line of error output: the last line, or the error itself in the output of a crashed Node
 * program.
 */
export function lastErrorLine(text: string): string {
  const lines = plainText(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (!NODE.test(lines.at(-1) ?? '')) return lines.at(-1)?.trim() ?? '';
  const output = lines.filter((line) => !NODE.test(line) && !FRAME.test(line));
  return (output.findLast((line) => ERROR.test(line)) ?? output.at(-1) ?? '').trim();
}

/** The last line that is not blank, as plain text; `''` if there is none. */
export function lastLine(text: string): string {
  const lines = plainText(text).split('\n');
  return lines.findLast((line) => line.trim() !== '')?.trim() ?? '';
}
