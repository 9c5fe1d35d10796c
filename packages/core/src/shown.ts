/** How a value of the wrong type is named in a message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * One line of text in which every control, format (bidirectional ones among them) and line-breaking character and every
 * half of a surrogate pair stands as `\uXXXX`. JSON stays JSON of the same value.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => char.split('').map(escapedUnit).join(''));
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text quoted for a message, with control and non-ASCII characters escaped and long text cut. */
export function quoted(text: string): string {
  const cut = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  return JSON.stringify(cut).replace(/[^\x20-\x7e]/g, escapedUnit);
}
