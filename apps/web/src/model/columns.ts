/** A column of a table. */
export interface Column<Key extends string = string> {
  readonly key: Key;
  /** The column heading. */
  readonly title: string;
  /** px with padding; the minimum for a column that grows. */
  readonly width: number;
  /** Whether the column takes a share of the remaining width. Default: false. */
  readonly grows?: boolean;
  /** Columns of rank 0 are always shown; of the others, higher ranks are dropped first. */
  readonly rank: number;
}

/** The columns that fit into a width in px, in order; none when those of rank 0 do not fit. */
export function columnsIn<Key extends string>(
  columns: readonly Column<Key>[],
  width: number,
): readonly Column<Key>[] {
  const ranks = [...new Set(columns.map(({ rank }) => rank))].sort((a, b) => b - a);
  const upTo = (most: number) => columns.filter(({ rank }) => rank <= most);
  const fits = ranks.find((rank) => widthOf(upTo(rank)) <= width);
  return fits === undefined ? [] : upTo(fits);
}

function widthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}
