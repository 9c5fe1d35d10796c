/** How a message names a value of the wrong type. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes every control, format (including bidirectional) and line-breaking character and every lone surrogate as
 * `\uXXXX`. JSON remains JSON with the same value.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => char.split('').map(escapedUnit).join(''));
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Lists parts in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[], word: 'and' | 'or' = 'and'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

/** Quotes text for a message: escapes control and non-ASCII characters and truncates long text. */
export function quoted(text: string): string {
  const cut = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  return JSON.stringify(cut).replace(/[^\x20-\x7e]/g, escapedUnit);
}

/** Whether a key of a file is a plain name. Another text may be a secret that lacks its colon, and must not be repeated. */
export function isPlainName(key: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(key);
}

/** The origin of an address for people: the rest may be secret. */
export function shownOrigin(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}
