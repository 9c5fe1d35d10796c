import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

// Elements whose content is never visible.
const SILENT: ReadonlySet<string> = new Set(
  'script style noscript template svg iframe noembed noframes'.split(' '),
);
const BREAKING: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'head header hr li main nav ol option p pre section select table td th title tr ul'
  ).split(' '),
);

const ignore = (): void => {};
const IGNORED: Omit<
  TokenizerCallbacks,
  'ontext' | 'ontextentity' | 'onopentagname' | 'onclosetag'
> = {
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
};

/**
 * Extracts the readable text of an HTML page: no tags, scripts and styles, one line per block, list items with a dash.
 * Takes time proportional to the size of the page for every input.
 */
export function textOfHtml(html: string): string {
  const reader = createReader(html);
  // The library's own parser takes quadratic time on deeply nested pages.
  const tokenizer = new Tokenizer({}, reader.callbacks);
  tokenizer.write(html);
  tokenizer.end();
  return tidy(reader.text());
}

function createReader(html: string): { readonly callbacks: TokenizerCallbacks; text(): string } {
  const parts: string[] = [];
  // The outermost open silent element, and how many elements of that name are open.
  let silent = '';
  let depth = 0;
  let opened = '';
  const put = (text: string): void => {
    if (depth === 0) parts.push(text);
  };
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase();
  const callbacks: TokenizerCallbacks = {
    ...IGNORED,
    isInForeignContext: () => depth > 0 && silent === 'svg',
    ontext: (start, end) => put(html.slice(start, end)),
    ontextentity: (code) => put(String.fromCodePoint(code)),
    onopentagname(start, end) {
      opened = nameAt(start, end);
      put(standIn(opened));
      if (depth === 0 && SILENT.has(opened)) silent = opened;
      if (opened === silent) depth += 1;
    },
    onselfclosingtag() {
      // This is the only silent element that can be self-closing.
      if (opened === 'svg' && silent === 'svg') depth -= 1;
    },
    onclosetag(start, end) {
      const name = nameAt(start, end);
      if (depth > 0 && name === silent) depth -= 1;
      else if (BREAKING.has(name)) put('\n');
    },
  };
  return { callbacks, text: () => parts.join('') };
}

// The text that replaces an opening tag.
function standIn(name: string): string {
  if (name === 'li') return '\n- ';
  return BREAKING.has(name) ? '\n' : '';
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) =>
    line
      .split(/[ \t\r\f\v\u00a0]+/)
      .join(' ')
      .trim(),
  );
  return lines.filter((line) => line !== '' && line !== '-').join('\n');
}
