import type { AuthRefusal } from '@svc/browser-auth';
import { type Issue, sentenceOf } from '@svc/core';
import type { OperationCode } from '@svc/ops';

/** Codes of refused requests. */
export type ErrorCode =
  | OperationCode
  | AuthRefusal['code']
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'internal';

/** The HTTP status of each code. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = Object.freeze({
  invalid: 400,
  auth_required: 401,
  forbidden_origin: 403,
  forbidden_host: 403,
  auth_not_configured: 403,
  not_permitted: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal: 500,
  run_failed: 502,
  not_runnable: 502,
  unavailable: 503,
});

/** Why a request was refused. */
export interface Refusal {
  readonly code: ErrorCode;
  /** What is wrong and how to fix it, in one sentence. */
  readonly message: string;
  readonly issues?: readonly Issue[] | undefined;
  /** For `not_found`: whether retention removed it, or may have. */
  readonly pruned?: true | undefined;
  /** Headers that go with it. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal by the sign-in of people. */
export function refusalOfAuth({ code, error, headers }: AuthRefusal): Refusal {
  return { code, message: error, headers };
}

/** A refusal of an input with the given issues. */
export function invalidRequest(issues: readonly Issue[]): Refusal {
  const [first] = issues;
  const isWhole = first !== undefined && first.path === '' && issues.length === 1;
  const message = isWhole
    ? sentenceOf(first, 'The request')
    : 'The request is not valid: see issues.';
  return { code: 'invalid', message, issues };
}

export const NOTHING_HERE: Refusal = {
  code: 'not_found',
  message: 'No such endpoint. See /api/openapi.json for all endpoints.',
};

/** A refusal of a method that an address does not support; `allowed` is the value of the header `Allow`. */
export function wrongMethod(method: string, allowed: string): Refusal {
  const methods = allowed.split(', ');
  const last = methods.pop();
  const listed = methods.length === 0 ? last : `${methods.join(', ')} and ${last}`;
  return {
    code: 'method_not_allowed',
    message: `This endpoint supports ${listed}, not ${method.slice(0, 20)}.`,
  };
}

export const INTERNAL: Refusal = {
  code: 'internal',
  message: 'Internal error. See the log of svc.',
};
