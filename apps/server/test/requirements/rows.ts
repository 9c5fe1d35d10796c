/** A guarantee of the service. */
export interface Requirement {
  readonly id: string;
  /** The guarantee in one sentence. */
  readonly says: string;
  /** Why no test proves it yet; null if one must. */
  readonly pending: string | null;
}

/** Guarantees by id; a row without a test gives the reason in `pending`. */
export type Rows = Readonly<
  Record<string, string | (Pick<Requirement, 'says'> & { readonly pending: string })>
>;

export function requirementsOf(rows: Rows): Requirement[] {
  return Object.entries(rows).map(([id, row]) =>
    typeof row === 'string' ? { id, says: row, pending: null } : { id, ...row },
  );
}
