/** Something that is promised. */
export interface Requirement {
  readonly id: string;
  /** The promise in one sentence. */
  readonly says: string;
  /** Why nothing proves it yet; null where tests must. */
  readonly pending: string | null;
}

/** What is promised, by id; what later work builds says what it waits for. */
export type Rows = Readonly<
  Record<string, string | (Pick<Requirement, 'says'> & { readonly pending: string })>
>;

export function requirementsOf(rows: Rows): Requirement[] {
  return Object.entries(rows).map(([id, row]) =>
    typeof row === 'string' ? { id, says: row, pending: null } : { id, ...row },
  );
}
