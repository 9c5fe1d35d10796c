import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render } from '@testing-library/react';
import { inertText } from '../src/model/inert-text.ts';
import { Markdown } from '../src/views/transcript/Markdown.tsx';

afterEach(cleanup);

const draw = (text: string): HTMLElement => render(<Markdown text={inertText(text)} />).container;

const BIDI = String.fromCodePoint(0x202e);
const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(7);

test('common Markdown is rendered', () => {
  const drawn = draw(
    '# One\n\n*a* **b** `c` ~~d~~\n\n- [x] done\n- more\n\n3. third\n\n> said\n\n```js\n1 < 2\n```\n\n|h|\n|-|\n|c|\n',
  );
  for (const tag of ['em', 'strong', 'code', 'del', 'ul', 'ol', 'blockquote', 'pre', 'table']) {
    expect([tag, drawn.querySelectorAll(tag).length]).toEqual([tag, 1]);
  }
  expect(drawn.querySelector('pre')?.textContent).toBe('1 < 2');
  expect(drawn.querySelector('ol')?.start).toBe(3);
  expect(drawn.querySelector('h1, h2, h3')).toBeNull();
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '&#106;avascript:alert(1)',
  'javascript&colon;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.org/x',
  '//evil.example',
  '/projects/hello',
  'https://bank.example@evil.example/',
])('a link to %s is disabled, and shows its target', (href) => {
  const drawn = draw(`[label](<${href}>) and [other][r]\n\n[r]: <${href}>\n`);
  expect(drawn.querySelector('a')).toBeNull();
  expect(drawn.textContent).toContain('label');
});

test.each(['https://example.org/a?b=c', 'http://example.org/', 'mailto:a@example.org'])(
  'a link to %s shows its target and sends no referrer',
  (href) => {
    const drawn = draw(`[label](${href})`);
    const link = drawn.querySelector('a');
    expect([link?.getAttribute('href'), link?.rel]).toEqual([href, 'noopener noreferrer']);
    expect(drawn.textContent).toBe(`label (${href})`);
  },
);

test('a link whose label is another address shows its own', () => {
  const drawn = draw('[https://bank.example/](https://evil.example/)');
  expect(drawn.textContent).toBe('https://bank.example/ (https://evil.example/)');
});

test.each([
  '![a](https://evil.example/x.png)',
  '![a](data:image/png;base64,AAAA)',
  '<img src="https://evil.example/x.png" onerror="alert(1)">',
  '<script>alert(1)</script>',
  '<svg onload=alert(1)>',
  'text <b onclick="alert(1)">bold</b>',
  '<iframe src="https://evil.example/"></iframe>',
  '<style>*{display:none}</style>',
  '<!-- unseen -->',
])('%s creates no element that loads or runs anything', (text) => {
  const drawn = draw(text);
  const own = new Set(['DIV', 'P', 'A', 'SPAN']);
  const foreign = [...drawn.querySelectorAll('*')].filter(({ tagName }) => !own.has(tagName));
  expect(foreign).toEqual([]);
  expect(drawn.textContent).not.toBe('');
});

test('terminal sequences are removed, and the text stays', () => {
  const title = `${ESC}]0;title${BEL}`;
  const link = `${ESC}]8;;https://evil.example/${ESC}\\here${ESC}]8;;${ESC}\\`;
  expect(inertText(`${title}${ESC}[1;31mred${ESC}[0m ${ESC}[2K${ESC}c${link}\r\n`)).toBe(
    'red here\n',
  );
});

test('invisible characters and direction marks are replaced by their code point', () => {
  expect(inertText(`a${BIDI}b\u2066c\u200bd\u{e0041}${BEL}`)).toBe(
    'a[U+202E]b[U+2066]c[U+200B]d[U+E0041][U+0007]',
  );
});

test.each([
  ['endless nesting', '> '.repeat(5000)],
  ['a text of half a mebibyte', '*a '.repeat(175_000)],
])('%s is shown as plain text', (_, text) => {
  const drawn = draw(text);
  expect(drawn.querySelector('p')?.textContent).toBe(text);
  expect(drawn.querySelectorAll('*').length).toBe(1);
});
