import { type OperationResults, type RowName, TABLE } from '@svc/ops';
import type { JsonSchema } from '@svc/schema';
import type { ErrorCode } from './errors.ts';
import { type Described, SESSION_OPERATIONS, type SessionOperation } from './session-operations.ts';

/** Tags of the routes, in the order of the OpenAPI document. */
export const TAGS = {
  triggers: 'Define triggers, see when they fire, and run them now.',
  runs: 'Runs of triggers and their results.',
  chats: 'Conversations with agents, and their tool calls.',
  projects: 'Project folders that agents work in.',
  service: 'The service: sign-in, status, effective settings, change stream, and this document.',
} as const;

/** The tag of a route. */
type Tag = keyof typeof TAGS;

/** How the body of a request maps to the input: some of its fields, or the whole body as one field. */
export type BodySpec =
  | {
      /** Name of its schema in the OpenAPI document. */
      readonly id: string;
      readonly description?: string;
      readonly fields: readonly string[];
      readonly required: boolean;
    }
  | { readonly field: string; readonly required: true };

/** A request header that maps to a field of the input, or that HTTP itself uses. */
type HeaderSpec = { readonly field: string } | { readonly description: string };

/** The definition of a route, for the router and for the OpenAPI document. */
export interface RouteFacts {
  readonly method: 'get' | 'put' | 'post' | 'delete';
  /** Address below `/api`; its path parameters, those of `SEGMENTS`, are part of the input. */
  readonly path: string;
  readonly operation: RowName | SessionOperation;
  /** Whether the route requires no sign-in. Default: false. */
  readonly isOpen?: true;
  /** Name in the OpenAPI document. Default: that of the operation. */
  readonly id?: string;
  /** One of `TAGS`. */
  readonly tag: Tag;
  /** Status of a success. */
  readonly status: 200 | 201 | 202;
  /** Query parameters with the fields of the input that they map to. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: BodySpec;
  readonly headers?: Readonly<Record<string, HeaderSpec>>;
  /** Schema of the body of a success. Default: that of the operation. */
  readonly response?: JsonSchema;
  /** Media type of a success. Default: `application/json`. */
  readonly mediaType?: string;
  /** Whether a success carries an entity tag. */
  readonly etag?: true;
  /** Codes of its own errors, in addition to those that follow from its path, query and body. */
  readonly errors?: readonly ErrorCode[];
}

/** A successful response of a route. */
export interface Reply {
  readonly body: object;
  readonly etag?: string;
}

/** One row of the REST surface: the definition, and how the result of the operation becomes a response. */
export interface Route extends RouteFacts {
  readonly operation: RowName;
  toReply(result: unknown): Reply;
}

/** Path parameters with the fields of the input that they map to. */
export const SEGMENTS: Readonly<Record<string, string>> = {
  slug: 'project',
  name: 'name',
  runId: 'run_id',
  sessionId: 'session_id',
  file: 'file',
};

/** Creates a row; `toReply` is typed by the operation. Default: the result is the body. */
export function route<N extends RowName>(
  facts: RouteFacts & {
    readonly operation: N;
    readonly toReply?: (result: OperationResults[N]) => Reply;
  },
): Route {
  const { toReply = (result) => ({ body: result as object }) } = facts;
  return { ...facts, toReply: toReply as Route['toReply'] };
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
