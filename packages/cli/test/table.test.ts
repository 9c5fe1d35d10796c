import { describe, expect, it } from '@jest/globals';
import { type Column, printTable } from '../src/table.ts';

interface Row {
  readonly name: string;
  readonly end: 'good' | 'bad';
  readonly why: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', of: ({ name }) => name, least: 6 },
  { title: 'END', of: ({ end }) => end, tone: ({ end }) => end, align: 'right' },
  { title: 'WHY', of: ({ why }) => why, least: 5, dropped: 1 },
];
const ROWS: readonly Row[] = [
  { name: 'heartbeat', end: 'good', why: '' },
  { name: '日本語の名前', end: 'bad', why: 'Bash, exit code 3.' },
];

function printed(columns: number | null, rows = ROWS, hasColors = false): string[] {
  const lines: string[] = [];
  printTable({ columns, hasColors, colored: (line) => lines.push(line) }, rows, COLUMNS);
  return lines;
}

describe('a table', () => {
  // proves: commands.table.fits
  it('shows everything without a terminal', () => {
    expect(printed(null)).toEqual([
      'NAME           END  WHY',
      'heartbeat     good',
      '日本語の名前   bad  Bash, exit code 3.',
    ]);
  });

  it('is first shortened, then loses columns, and is never wider than the terminal', () => {
    expect(printed(30)).toEqual([
      'NAME           END  WHY',
      'heartbeat     good',
      '日本語の名前   bad  Bash, exi…',
    ]);
    expect(printed(22)[2]).toBe('日本語の…   bad  Bash…');
    for (const width of [30, 24, 19, 14, 12]) {
      for (const line of printed(width)) {
        // Each of these characters is two columns wide.
        const wide = [...line].filter((one) => /[^\0-\u2fff]/.test(one)).length;
        expect(line.length + wide).toBeLessThanOrEqual(width);
      }
    }
    expect(printed(14)[0]).toBe('NAME       END');
  });

  it('leaves out columns that are empty in all rows', () => {
    const [first] = ROWS;
    expect(printed(null, first === undefined ? [] : [first])[0]).toBe('NAME        END');
  });

  // proves: commands.table.plain
  it('has colors on request only, and escapes control characters in names', () => {
    const hostile = { name: 'a\u001b[31m\nb\u202e', end: 'bad', why: 'x\u0007' } as const;
    const plain = printed(null, [hostile]);
    expect(plain[1]).toBe('a\\u001b[31m b\\u202e  bad  x\\u0007');
    const colored = printed(null, [hostile], true);
    expect(colored[1]).toBe('a\\u001b[31m b\\u202e  \u001b[31mbad\u001b[39m  x\\u0007');
  });
});
