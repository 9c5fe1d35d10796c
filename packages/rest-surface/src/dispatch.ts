import { type Clock, failure, type Logger, messageOf, type Result, SvcError } from '@svc/core';
import type { Ops } from '@svc/ops';
import { isSlug } from '@svc/trigger-schema';
import type { Request, Response } from 'express';
import { sendJson, sendRefusal } from './answer.ts';
import { ABORTED, readBody } from './body.ts';
import { INTERNAL, invalidRequest, NO_PROJECT, type Refusal } from './errors.ts';
import { NO_QUERY } from './input.ts';
import type { Reply, Route, RouteRequest } from './route.ts';

/** What requests are answered with. */
export interface DispatchDeps {
  readonly ops: Ops;
  readonly logger: Logger;
  readonly clock: Clock;
}

type Outcome<T> = Result<T, Refusal | typeof ABORTED>;

/** Answers one request of a route: checks its parts, calls the operation, writes the answer and the log. */
export async function dispatch(
  deps: DispatchDeps,
  route: Route,
  request: Request,
  response: Response,
): Promise<void> {
  const started = deps.clock.mono();
  const outcome = await outcomeOf(deps, route, request);
  if (!outcome.ok && outcome.error === ABORTED) return;
  const status = outcome.ok
    ? sendReply(route, request, response, outcome.value)
    : sendRefusal(request, response, outcome.error as Refusal);
  // A refusal has changed nothing, and is told to whoever asked.
  if (route.changes !== true || !outcome.ok) return;
  const { slug = null, name, runId, sessionId } = request.params as Record<string, string>;
  const target = name ?? runId ?? sessionId ?? outcome.value.target ?? null;
  deps.logger.info(
    {
      who: 'user',
      operation: route.operation,
      project: bounded(slug),
      target: bounded(target),
      outcome: 'ok',
      status,
      durationMs: Math.round(deps.clock.mono() - started),
    },
    'a request changed something',
  );
}

function sendReply(route: Route, request: Request, response: Response, reply: Reply): number {
  sendJson(request, response, route.status, reply.body, reply.etag);
  return route.status;
}

async function outcomeOf(
  deps: DispatchDeps,
  route: Route,
  request: Request,
): Promise<Outcome<Reply>> {
  try {
    const input = await readInput(deps.ops, route, request);
    return input.ok ? await route.handle(deps.ops, input.value) : input;
  } catch (error) {
    if (isUnavailable(error)) {
      const fields = { operation: route.operation, error: error.message };
      deps.logger.warn(fields, 'a request could not be served');
      return failure({ code: 'unavailable', message: error.message });
    }
    logFailure(deps.logger, route.operation, error);
    return failure(INTERNAL);
  }
}

// A fault of the machine that was put into a sentence where it was met.
function isUnavailable(error: unknown): error is SvcError {
  return error instanceof SvcError && error.code === 'unavailable';
}

/** Writes down an error that nobody expected. */
export function logFailure(logger: Logger, operation: string | null, error: unknown): void {
  logger.error({ operation, error: messageOf(error) }, 'a request failed unexpectedly');
}

async function readInput(
  ops: Ops,
  route: Route,
  request: Request,
): Promise<Outcome<RouteRequest<unknown, unknown>>> {
  const { slug, name = '', runId, sessionId } = request.params as Record<string, string>;
  if (slug !== undefined && !isSlug(slug)) return failure(NO_PROJECT);
  const parts = await readParts(route, request);
  if (!parts.ok) {
    // A project that is not there comes before faults of what was sent to it.
    const project = slug === undefined ? null : await ops.projects.get(slug);
    return project === null || project.ok || parts.error === ABORTED ? parts : project;
  }
  const { query, body } = parts.value;
  const id = runId ?? sessionId ?? '';
  const value = { project: slug ?? '', name, id, query, body, headers: request.headers };
  return { ok: true, value };
}

async function readParts(
  route: Route,
  request: Request,
): Promise<Outcome<{ query: unknown; body: unknown }>> {
  const query = readQuery(route, request);
  if (!query.ok) return query;
  const body = await readBody(request);
  if (!body.ok) return body;
  if (route.body === undefined) return { ok: true, value: { query: query.value, body: null } };
  if (body.value === null && route.body.required) return failure(BODY_MISSING);
  const checked = route.body.parse(body.value ?? {});
  if (!checked.ok) return failure(invalidRequest(checked.issues));
  return { ok: true, value: { query: query.value, body: checked.value } };
}

const LONGEST_LOGGED = 200;

function bounded(text: string | null): string | null {
  return text === null ? null : text.slice(0, LONGEST_LOGGED);
}

const BODY_MISSING = invalidRequest([
  { path: '', message: 'must have a JSON object as its body.' },
]);

/** Checks the query of a request against what its route takes. */
export function readQuery(route: Pick<Route, 'query'>, request: Request): Result<unknown, Refusal> {
  const from = request.url.indexOf('?');
  const search = from === -1 ? '' : request.url.slice(from + 1);
  const checked = (route.query ?? NO_QUERY).parse(search);
  return checked.ok ? checked : failure(invalidRequest(checked.issues));
}
