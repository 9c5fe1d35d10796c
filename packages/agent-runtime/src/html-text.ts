const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg']);
const BREAKING: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'head header hr li main nav ol option p pre section select table td th title tr ul'
  ).split(' '),
);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
};

/**
 * The readable text of an HTML page: without tags, scripts and styles, one line per block, list items with a dash.
 * Takes time proportional to the page, whatever is in it.
 */
export function textOfHtml(html: string): string {
  // Of all letters this one alone becomes two by it, and places in both texts must be the same.
  const lower = html.replaceAll('İ', 'I').toLowerCase();
  const parts: string[] = [];
  let at = 0;
  for (let open = nextTag(lower, at); open !== -1; open = nextTag(lower, at)) {
    parts.push(html.slice(at, open));
    const tag = tagAt(lower, open);
    parts.push(standIn(tag));
    at = tag.silent ? endOfElement(lower, tag) : tag.end;
  }
  parts.push(html.slice(at));
  return tidy(decoded(parts.join('')));
}

// Where the next tag or comment stands; -1 where none does. A page may be made of nothing but signs that look like one.
function nextTag(lower: string, from: number): number {
  const found = /<(?:[a-z!?]|\/[a-z])/g;
  found.lastIndex = from;
  return found.exec(lower)?.index ?? -1;
}

// What is read in a tag's place.
function standIn(tag: Tag): string {
  if (tag.name === null) return '';
  if (tag.name === 'li' && !tag.closing) return '\n- ';
  return BREAKING.has(tag.name) ? '\n' : '';
}

interface Tag {
  /** Lower-case name; null for a comment. */
  readonly name: string | null;
  readonly closing: boolean;
  /** Whether it starts an element that shows nothing. */
  readonly silent: boolean;
  /** Place after it. */
  readonly end: number;
}

function tagAt(lower: string, open: number): Tag {
  const none = { name: null, closing: false, silent: false };
  if (lower.startsWith('<!--', open)) return { ...none, end: after(lower, '-->', open + 4) };
  if (lower[open + 1] === '!' || lower[open + 1] === '?') {
    return { ...none, end: after(lower, '>', open) };
  }
  const found = /^<(\/?)([a-z][a-z0-9]*)/.exec(lower.slice(open, open + 32));
  if (found === null) return { ...none, end: open + 1 };
  const [, slash, name = ''] = found;
  const closing = slash === '/';
  const silent = !closing && SILENT.has(name);
  return { name, closing, silent, end: after(lower, '>', open) };
}

function endOfElement(lower: string, tag: Tag): number {
  const close = lower.indexOf(`</${tag.name}`, tag.end);
  return close === -1 ? lower.length : after(lower, '>', close);
}

// Without an end everything that follows belongs to it, so that nothing is ever looked for twice.
function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, ten, hex, name) =>
      name === undefined
        ? characterOf(whole, ten === undefined ? Number.parseInt(hex, 16) : Number(ten))
        : (ENTITIES[String(name).toLowerCase()] ?? whole),
  );
}

function characterOf(whole: string, code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) =>
    line
      .split(/[ \t\r\f\v]+/)
      .join(' ')
      .trim(),
  );
  return lines.filter((line) => line !== '' && line !== '-').join('\n');
}
