import { failure, type Issue, type Logger, messageOf, type Result } from '@svc/core';
import type { CallError, Caller, OperationResults, Operations, RowName } from '@svc/ops';
import type { Request, Response } from 'express';
import { sendJson, sendRefusal } from './answer.ts';
import { INTERNAL, type Refusal } from './errors.ts';
import { ofRequest, type ReadInput, readInput } from './input.ts';
import type { Route, RouteFacts } from './route.ts';

/** Dependencies of calls. */
interface CallDeps<R> {
  readonly operations: Operations;
  /** The caller of a request. */
  readonly callerOf: (request: R) => Caller;
}

/** Dependencies of request handling. */
export interface DispatchDeps extends CallDeps<Request> {
  readonly logger: Logger;
}

// A client that disconnects does not cancel what it has requested.
const NEVER: AbortSignal = new AbortController().signal;

/** Handles one request of a route: reads its input, calls the operation, and sends the response. */
export async function dispatch(
  deps: DispatchDeps,
  route: Route,
  request: Request,
  response: Response,
): Promise<void> {
  try {
    const read = await readInput(route, request);
    if (read === null) return;
    const result = await callOperation(deps, route, request, read);
    if (!result.ok) {
      sendRefusal(request, response, result.error);
      return;
    }
    const { body, etag } = route.toReply(result.value);
    sendJson(request, response, route.status, body, etag);
  } catch (error) {
    logFailure(deps.logger, route.operation, error);
    sendRefusal(request, response, INTERNAL);
  }
}

/** Calls the operation of a route with the input from a request. */
export async function callOperation<N extends RowName, R>(
  { operations, callerOf }: CallDeps<R>,
  route: RouteFacts & { readonly operation: N },
  request: R,
  { input, faults, partial, refusal }: ReadInput,
): Promise<Result<OperationResults[N], Refusal>> {
  const options = { signal: NEVER, faults, partial };
  const result = await operations.call(callerOf(request), route.operation, input, options);
  if (result.ok) return result;
  const isOwn = refusal !== null && result.error.code === 'invalid';
  return failure(isOwn ? refusal : refusalOf(route, faults, result.error));
}

function refusalOf(
  route: RouteFacts,
  faults: readonly Issue[],
  { code, message, issues, pruned }: CallError,
): Refusal {
  if (code === 'internal') return INTERNAL;
  if (code === 'unknown_operation') return { code: 'not_permitted', message };
  // Issues of the surface already have the names of the request.
  const translated = issues?.map((issue) =>
    faults.includes(issue) ? issue : ofRequest(route, issue),
  );
  return { code, message, issues: translated, pruned };
}

/** Logs an unexpected error. */
export function logFailure(logger: Logger, operation: string | null, error: unknown): void {
  logger.error({ operation, error: messageOf(error) }, 'request failed unexpectedly');
}
