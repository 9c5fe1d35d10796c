import type { Issue, Result } from '@svc/core';

/** Codes of refused operations. */
export type OperationCode =
  | 'not_found'
  | 'not_permitted'
  | 'invalid'
  | 'conflict'
  | 'precondition_failed'
  | 'run_failed'
  | 'not_runnable'
  | 'unavailable';

/** Why an operation was refused; nothing was changed. */
export interface OperationError {
  readonly code: OperationCode;
  /** What is wrong and how to fix it, in one sentence. */
  readonly message: string;
  /** Every error in the input, for `invalid`. */
  readonly issues?: readonly Issue[];
  /** For `not_found`: whether retention removed it, or may have. */
  readonly pruned?: true;
}

/** Result of an operation or a part of one. */
export type Answer<T> = Promise<Result<T, OperationError>>;

/** The error for invalid input. */
export function invalidInput(issues: readonly Issue[]): OperationError {
  return { code: 'invalid', message: INVALID, issues };
}

const INVALID = 'The request is invalid. See issues.';

/** The error for something that does not exist. */
export function notFound(what: string): OperationError {
  return { code: 'not_found', message: `There is no such ${what}.` };
}
