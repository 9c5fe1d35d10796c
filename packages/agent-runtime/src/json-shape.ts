import { MOST_JSON_LEVELS } from '@svc/core';

// JSON with more parts than this would block the event loop noticeably.
const MAX_PARTS = 500_000;

/**
 * Returns what exceeds a limit in JSON text, as the end of a sentence, or null. Does not parse or recurse, and stops at
 * the first excess.
 *
 * @param levels maximum nesting of objects and lists. Deeper values overflow the stack of recursive code. Default: 64.
 * @param most maximum number of values. Default: 500,000.
 */
export function jsonExcess(
  json: string,
  levels: number = MOST_JSON_LEVELS,
  most: number = MAX_PARTS,
): string | null {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(json, at);
    else if (isOpening(sign)) depth += 1;
    else if (isClosing(sign)) depth -= 1;
    if (sign === COMMA || isOpening(sign)) parts += 1;
    if (depth > levels) return `nested deeper than ${levels} levels`;
    if (parts > most) return `made of more than ${most} parts`;
  }
  return null;
}

/** The UTF-8 length of `JSON.stringify(value, null, 1)`, computed from `JSON.stringify(value)`. */
export function indentedBytes(compact: string): number {
  let depth = 0;
  let blanks = 0;
  for (let at = 0; at < compact.length; at += 1) {
    const sign = compact.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(compact, at);
    else if (sign === COLON) blanks += 1;
    else if (sign === COMMA) blanks += 1 + depth;
    else if (isOpening(sign) && isClosing(compact.charCodeAt(at + 1))) at += 1;
    else if (isOpening(sign)) {
      depth += 1;
      blanks += 1 + depth;
    } else if (isClosing(sign)) {
      depth -= 1;
      blanks += 1 + depth;
    }
  }
  return Buffer.byteLength(compact) + blanks;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

// `[` and `{`, `]` and `}`.
const isOpening = (sign: number): boolean => sign === 0x5b || sign === 0x7b;
const isClosing = (sign: number): boolean => sign === 0x5d || sign === 0x7d;

// Index of the closing quote of the string that starts at a quote.
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) return at;
    if (sign === BACKSLASH) at += 1;
  }
  return json.length;
}
