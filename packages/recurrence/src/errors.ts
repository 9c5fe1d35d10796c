/**
 * `invalid_date`: an instant is not a finite time within the range of `Date`.
 * `invalid_count`: a count or limit is not a whole number in its range.
 * `not_a_recurrence`: the value was not made by `parseCron` or `parseInterval`.
 * `no_progress`: no instant could be computed that is later than the starting one and matches the expression.
 */
export type RecurrenceErrorCode =
  | 'invalid_date'
  | 'invalid_count'
  | 'not_a_recurrence'
  | 'no_progress';

/** A caller's mistake, or time zone data that contradict themselves; `code` says which, `facts` the values. */
export class RecurrenceError extends Error {
  readonly code: RecurrenceErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: RecurrenceErrorCode,
    message: string,
    options: { readonly facts?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RecurrenceError';
    this.code = code;
    this.facts = options.facts ?? {};
  }
}
