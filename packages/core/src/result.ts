/** One problem in an input: where it is and what would be valid. */
export interface Issue {
  /** Dotted path of the field, `''` for the whole input; list items as `[i]`, such as `run.tools[2]`. */
  readonly path: string;
  /**
   * What is wrong and what would be valid, as the continuation of the field name, which it does not include: `must
   * be at most 200.`. `sentenceOf` joins the two.
   */
  readonly message: string;
  /** 1-based line in the source text, if known. */
  readonly line?: number;
  /** 1-based column in the source text, if known. */
  readonly column?: number;
}

/** The result of checking an input: its value, or all problems found. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The result of an operation that is expected to fail at times. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** A success, for both `Checked` and `Result`. */
export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A failed check with the given issues. */
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
 * @param whole The subject of an issue with an empty path, e.g. `The request`.
 */
export function sentenceOf({ path, message }: Issue, whole: string): string {
  const sentence = `${path === '' ? whole : path} ${message}`;
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The sentences of all issues as one text; for `whole` see `sentenceOf`. */
export function sentencesOf(issues: readonly Issue[], whole: string): string {
  return issues.map((issue) => sentenceOf(issue, whole)).join(' ');
}
