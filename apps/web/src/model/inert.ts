const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);

// Colours and movements of ECMA-48, and strings for the terminal such as its title.
const SEQUENCES = new RegExp(
  [
    `${ESC}\\[[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\|$)`,
    `${ESC}[ -/]*[0-OQ-WYZ\\\\\`-~]`,
  ].join('|'),
  'g',
);

// What turns the direction of letters about, or is not seen at all and yet says something: bidirectional controls of
// Unicode's annex 9, letters without width, tags. The joiner of emoji is not among them.
const UNSEEN =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Makes a text harmless to look at: terminal sequences are taken out, and characters that would hide or turn about what
 * stands there are told by their number.
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

/** The address that a link may lead to; null where it is none of the web or of mail, or looks like that of another. */
export function safeTarget(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  if (!SCHEMES.includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href;
}
