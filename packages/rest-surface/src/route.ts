import type { IncomingHttpHeaders } from 'node:http';
import type { Result } from '@svc/core';
import type { OperationError, Ops } from '@svc/ops';
import type { ErrorCode } from './errors.ts';
import type { BodySpec, QuerySpec } from './input.ts';
import type { JsonSchema } from './json-schema.ts';

/** What routes can be about, in the order of the OpenAPI document. */
export const TAGS = {
  triggers: 'What starts agents by itself, when, and firing it now.',
  runs: 'What has fired, and how it ended.',
  chats: 'What agents were asked and what they did.',
  projects: 'The folders that agents work in.',
  service: 'The service itself: what changes, and this document.',
} as const;

/** What a route is about. */
type Tag = keyof typeof TAGS;

/** What a route is, for the router and for the OpenAPI document alike. */
export interface RouteFacts<Q = unknown, B = unknown> {
  readonly method: 'get' | 'put' | 'post' | 'delete';
  /** Address below `/api`, with `:slug`, `:name`, `:runId` and `:sessionId` as its variable segments. */
  readonly path: string;
  /** Name of the operation, unique among the routes. */
  readonly operation: string;
  readonly summary: string;
  /** What it is about, one of `TAGS`. */
  readonly tag: Tag;
  /** Whether it changes something, so that it is written to the log. */
  readonly changes?: true;
  /** Status of a success. */
  readonly status: 200 | 201 | 202;
  readonly query?: QuerySpec<Q>;
  readonly body?: BodySpec<B>;
  /** Request headers that it heeds, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Schema of the body of a success. */
  readonly response: JsonSchema;
  /** Media type of a success. Default: `application/json`. */
  readonly mediaType?: string;
  /** Whether a success carries an entity tag. */
  readonly etag?: true;
  /** Codes of its own errors, beside those that follow from its path, query and body. */
  readonly errors?: readonly ErrorCode[];
}

/** A request whose parts have been checked. Absent path segments are `''`. */
export interface RouteRequest<Q, B> {
  readonly project: string;
  /** Name of a trigger. */
  readonly name: string;
  /** Id of a run, or session id of a chat. */
  readonly id: string;
  readonly query: Q;
  readonly body: B;
  readonly headers: IncomingHttpHeaders;
}

/** A success of a route. */
export interface Reply {
  readonly body: object;
  readonly etag?: string;
  /** What was changed, for the log, where the address does not tell it. */
  readonly target?: string;
}

/** One row of the REST surface: the facts, and how a request becomes a call of an operation. */
export interface Route<Q = unknown, B = unknown> extends RouteFacts<Q, B> {
  handle(ops: Ops, request: RouteRequest<Q, B>): Promise<Result<Reply, OperationError>>;
}

/** Ties the types of query and body to their schemas, then forgets them, so that rows fit into one table. */
export function route<Q = unknown, B = unknown>(row: Route<Q, B>): Route {
  return row as Route;
}

/** Turns the success of an operation into a reply. */
export function reply<T>(
  result: Result<T, OperationError>,
  bodyOf: (value: T) => object,
): Result<Reply, OperationError> {
  return result.ok ? { ok: true, value: { body: bodyOf(result.value) } } : result;
}
