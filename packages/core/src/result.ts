/** One fault of an input: where it is and what would be right. */
export interface Issue {
  /** Dotted path of the field, `''` for the whole input; list items as `[i]`, e.g. `run.tools[2]`. */
  readonly path: string;
  /** One sentence that names the fault and the fix. */
  readonly message: string;
  /** 1-based line in the source text, where there is one. */
  readonly line?: number;
  /** 1-based column in the source text, where there is one. */
  readonly column?: number;
}

/** The outcome of checking an input: its value, or every fault that was found. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The outcome of an operation whose failure is expected. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** A success, for `Checked` and `Result` alike. */
export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A failed check with the given faults. */
export function invalid(...issues: readonly Issue[]): {
  readonly ok: false;
  readonly issues: readonly Issue[];
} {
  return { ok: false, issues };
}

/** A failed operation. */
export function failure<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** The messages of issues as one text. */
export function sentencesOf(issues: readonly Issue[]): string {
  return issues.map(({ message }) => message).join(' ');
}
