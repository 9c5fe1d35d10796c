/** A column of a table. */
export interface Column<Key extends string = string> {
  readonly key: Key;
  /** What stands above it. */
  readonly title: string;
  /** px with its padding; of a column that grows, the least. */
  readonly width: number;
  /** Whether it shares what is left. Default: false. */
  readonly grows?: boolean;
  /** Columns of rank 0 are always there; of the others those of higher rank give way first. */
  readonly rank: number;
}

/** The columns that fit beside each other into a width in px, in their order; none where those of rank 0 do not. */
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
