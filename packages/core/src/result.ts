/** One fault of an input: where it is and what would be right. */
export interface Issue {
  /** Dotted path of the field, `''` for the whole input; list items as `[i]`, e.g. `run.tools[2]`. */
  readonly path: string;
  /**
   * What is wrong and what would be right, as it goes on from the name of the field, which it never holds: `must be at
   * most 200.`; `sentenceOf` joins the two.
   */
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

/**
 * An issue as one sentence that names its field.
 *
 * @param whole what an issue with an empty path is about, e.g. `The request`
 */
export function sentenceOf({ path, message }: Issue, whole: string): string {
  const sentence = `${path === '' ? whole : path} ${message}`;
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The sentences of issues as one text; `whole` as in `sentenceOf`. */
export function sentencesOf(issues: readonly Issue[], whole: string): string {
  return issues.map((issue) => sentenceOf(issue, whole)).join(' ');
}
