const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);

// Matches ECMA-48 control sequences and strings for the terminal, such as its title.
const SEQUENCES = new RegExp(
  [
    `${ESC}\\[[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\|$)`,
    `${ESC}[ -/]*[0-OQ-WYZ\\\\\`-~]`,
  ].join('|'),
  'g',
);

// Matches invisible characters that can change the meaning of a text: bidirectional controls (Unicode annex 9), zero-width
// letters and tags. The emoji joiner is not included.
const UNSEEN =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Makes a text safe to display: terminal sequences are removed, and characters that hide or reorder text are shown by their
 * number.
 */
export function inertText(text: string): string {
  return text
    .replace(SEQUENCES, '')
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, numbered)
    .replace(/\p{Cc}/gu, (control) => ('\n\t'.includes(control) ? control : numbered(control)));
}

function numbered(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `[U+${number}]`;
}

const SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:'];

/** Returns the address that a link may open; null unless it is a web or mail address without credentials. */
export function safeTarget(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  if (!SCHEMES.includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href;
}
