import { type HttpFacts, type Reply, type RowName, TABLE, TAGS } from '@svc/ops';
import type { JsonSchema } from '@svc/schema';
import type { ErrorCode } from './errors.ts';
import { type Described, SESSION_OPERATIONS, type SessionOperation } from './session-operations.ts';

/** The definition of a route, for the router and for the OpenAPI document. */
export interface RouteFacts extends Omit<HttpFacts, 'errors'> {
  readonly operation: RowName | SessionOperation;
  /** Whether the route requires no sign-in. Default: false. */
  readonly isOpen?: true;
  /** Codes of its own errors, in addition to those that follow from its path, query and body. */
  readonly errors?: readonly ErrorCode[];
}

/** A route of an operation: the definition, and how the result becomes a response. */
export interface Route extends RouteFacts {
  readonly operation: RowName;
  toReply(result: unknown): Reply;
}

const TAG_ORDER = Object.keys(TAGS);
const METHODS = ['get', 'put', 'post', 'delete'];

/** The routes of all operations, in the order in which they are matched: a fixed segment before a parameter. */
export const ROUTES: readonly Route[] = TABLE.flatMap(({ name, http, toReply }): Route[] =>
  http === null ? [] : [{ ...http, operation: name, toReply }],
).sort(
  (a, b) =>
    byTag(a) - byTag(b) || compare(sortKey(a.path), sortKey(b.path)) || byMethod(a) - byMethod(b),
);

/** The route of an operation. */
export function routeOf<N extends RowName>(operation: N): Route & { readonly operation: N } {
  return ROUTES.find((route) => route.operation === operation) as Route & { readonly operation: N };
}

function byTag({ tag }: RouteFacts): number {
  return TAG_ORDER.indexOf(tag);
}

function byMethod({ method }: RouteFacts): number {
  return METHODS.indexOf(method);
}

// A parameter sorts behind every fixed segment.
function sortKey(path: string): string {
  return path.replaceAll(':', '~');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const OPERATIONS: ReadonlyMap<RouteFacts['operation'], Described> = new Map<
  RouteFacts['operation'],
  Described
>([
  ...TABLE.map((row) => [row.name, row] as const),
  ...Object.entries(SESSION_OPERATIONS).map(
    ([name, row]) => [name as SessionOperation, row] as const,
  ),
]);

/** The operation of a route. */
export function operationOf({ operation }: Pick<RouteFacts, 'operation'>): Described {
  return OPERATIONS.get(operation) as Described;
}

/** The schema of a field of its input. */
export function fieldOf(route: Pick<RouteFacts, 'operation'>, field: string): JsonSchema {
  return (operationOf(route).input.properties[field] ?? {}) as JsonSchema;
}
