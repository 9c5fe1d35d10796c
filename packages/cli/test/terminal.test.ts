import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { plainTerminal } from '../src/terminal.ts';

const written = (): {
  readonly lines: string[];
  readonly terminal: ReturnType<typeof plainTerminal>;
} => {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  const raw = { isTerminal: false, columns: null, hasColors: false };
  return { lines, terminal: plainTerminal({ ...raw, out: add, error: add, colored: add }) };
};
const lineOf = (text: string): string | undefined => {
  const { lines, terminal } = written();
  terminal.out(text);
  expect(lines).toHaveLength(1);
  return lines[0];
};

describe('the output of a command', () => {
  // proves: commands.output.plain
  it.each([
    ['a\nb\r\tc', 'a\\u000ab\\u000d\\u0009c'],
    ['\u001b[2J\u0007\u009b1m', '\\u001b[2J\\u0007\\u009b1m'],
    ['\u202eevil\u2066\u200f', '\\u202eevil\\u2066\\u200f'],
    ['\u2028\u2029\ufeff\u200b', '\\u2028\\u2029\\ufeff\\u200b'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\ud800x', '\\ud800x'],
    ['caf\u00e9 \u65e5\u672c \u{1f600}', 'caf\u00e9 \u65e5\u672c \u{1f600}'],
    ['::error::owned', '\\u003a:error::owned'],
    [' \u00a0::set-output name=a::b', ' \u00a0\\u003a:set-output name=a::b'],
    ['a ##[error]owned', 'a \\u0023#[error]owned'],
    ['##vso[task.complete]', '\\u0023#vso[task.complete]'],
    ['demo::x, a: b, ## c', 'demo::x, a: b, ## c'],
  ])('shows %j as %j, on one line', (text, shown) => {
    expect(lineOf(text)).toBe(shown);
  });

  it('escapes errors and colored lines too', () => {
    const { lines, terminal } = written();
    terminal.error('::warning::x\ny');
    terminal.colored('\u001b[31m::error::x\u001b[39m');
    expect(lines).toEqual(['\\u003a:warning::x\\u000ay', '\u001b[31m\\u003a:error::x\u001b[39m']);
  });

  it('preserves the lines of a text, and the value of JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (inner, text) => {
        const { lines, terminal } = written();
        const value = { inner, [text]: `##[error]${text}` };
        terminal.text(JSON.stringify(value, null, 2));
        expect(JSON.parse(lines.join('\n'))).toEqual(JSON.parse(JSON.stringify(value)));
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]|##\[/u);
      }),
      { numRuns: 20 },
    );
  });
});
