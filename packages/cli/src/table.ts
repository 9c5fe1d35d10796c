import { styleText } from 'node:util';
import { printable } from '@svc/core';
import stringWidth from 'string-width';
import type { Terminal } from './terminal.ts';

/** The meaning of a cell, shown as a color. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet';

/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  of(row: T): string;
  tone?(row: T): Tone | null;
  readonly align?: 'right';
  /** Minimum width; a wider column is truncated if the terminal is too narrow. Default: it is never truncated. */
  readonly least?: number;
  /** Removed if the terminal is too narrow; the highest number is removed first. Default: it is never removed. */
  readonly dropped?: number;
}

const GAP = '  ';
const STYLES = { good: 'green', bad: 'red', warn: 'yellow', quiet: 'gray' } as const;

/**
 * Prints a table with column titles, truncated to the width of the terminal. Nothing is truncated if output is not a terminal.
 */
export function printTable<T>(
  { columns: width, hasColors, colored }: Pick<Terminal, 'columns' | 'hasColors' | 'colored'>,
  rows: readonly T[],
  columns: readonly Column<T>[],
): void {
  const table = layOut(rows, columns, width);
  colored(
    lineOf(
      table.map(({ title }) => [title, 'quiet'] as const),
      table,
      hasColors,
    ),
  );
  for (const [i] of rows.entries()) {
    const cells = table.map(({ cells: all, tones }) => [all[i] ?? '', tones[i] ?? null] as const);
    colored(lineOf(cells, table, hasColors));
  }
}

interface TableColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly tones: readonly (Tone | null)[];
  readonly width: number;
  readonly isRight: boolean;
}

function layOut<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  width: number | null,
): TableColumn[] {
  const all = columns.map((column) => {
    const cells = rows.map((row) => oneLine(column.of(row)));
    return { column, cells, natural: Math.max(...[column.title, ...cells].map(widthOf)) };
  });
  // Removable columns without any content are not shown.
  let shownColumns = all.filter(
    ({ column, cells }) => column.dropped === undefined || cells.some(Boolean),
  );
  const leastOf = (some: typeof all): number =>
    some.reduce((sum, { column, natural }) => sum + Math.min(column.least ?? natural, natural), 0) +
    GAP.length * (some.length - 1);
  while (width !== null && leastOf(shownColumns) > width) {
    const last = Math.max(...shownColumns.map(({ column }) => column.dropped ?? 0));
    if (last === 0) break;
    shownColumns = shownColumns.filter(({ column }) => column.dropped !== last);
  }
  const natural = shownColumns.reduce(
    (sum, one) => sum + one.natural,
    GAP.length * (shownColumns.length - 1),
  );
  let over = width === null ? 0 : Math.max(0, natural - width);
  // Columns on the right are truncated first, because names are on the left.
  const cuts = shownColumns.toReversed().map(({ column, natural: own }) => {
    const cut = Math.min(over, own - Math.min(column.least ?? own, own));
    over -= cut;
    return cut;
  });
  return shownColumns.map(({ column, cells, natural: own }, i) => {
    const cut = cuts.at(-1 - i) ?? 0;
    return {
      title: truncate(column.title, own - cut),
      cells: cells.map((cell) => truncate(cell, own - cut)),
      tones: rows.map((row) => column.tone?.(row) ?? null),
      width: own - cut,
      isRight: column.align === 'right',
    };
  });
}

function lineOf(
  cells: readonly (readonly [text: string, tone: Tone | null])[],
  table: readonly TableColumn[],
  hasColors: boolean,
): string {
  const parts = cells.map(([text, tone], i) => {
    const { width = 0, isRight = false } = table[i] ?? {};
    const space = ' '.repeat(Math.max(0, width - widthOf(text)));
    const shown = tone === null || !hasColors ? text : toned(text, tone);
    const isLast = i === cells.length - 1;
    return isRight ? space + shown : isLast ? shown : shown + space;
  });
  return parts.join(GAP).trimEnd();
}

/** A text in the color of a tone. */
export function toned(text: string, tone: Tone): string {
  return styleText(STYLES[tone], text, { validateStream: false });
}

/** A text on one line with non-printable characters escaped. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/gu, ' ').trim());
}

function widthOf(text: string): number {
  return stringWidth(text);
}

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// Truncates between grapheme clusters.
function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let fitted = '';
  let taken = 0;
  for (const { segment } of SEGMENTS.segment(text)) {
    taken += widthOf(segment);
    if (taken > width - 1) break;
    fitted += segment;
  }
  return width < 1 ? '' : `${fitted.trimEnd()}…`;
}
