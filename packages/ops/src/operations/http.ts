import type { OperationCode } from '@svc/engine';
import { SLUG_PATTERN } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { text } from '../common.schema.ts';
import { sample } from './samples.ts';

/** Tags of the operations in the OpenAPI document, in its order. */
export const TAGS = {
  triggers: 'Define triggers, see when they fire, and run them now.',
  runs: 'Runs of triggers and their results.',
  chats: 'Conversations with agents, and their tool calls.',
  projects: 'Project folders that agents work in.',
  service: 'The service: sign-in, status, effective settings, change stream, and this document.',
} as const;

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

/** Examples of a request and its response in the OpenAPI document. */
interface HttpExample {
  /** Values of query parameters. */
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  readonly response: object;
}

/** A successful response. */
export interface Reply {
  readonly body: object;
  readonly etag?: string;
}

/** How an operation is called over REST. */
export interface HttpFacts {
  readonly method: 'get' | 'put' | 'post' | 'delete';
  /** Address below `/api`; its path parameters, those of `PATH_PARAMETERS`, are part of the input. */
  readonly path: string;
  /** Name in the OpenAPI document. Default: that of the operation. */
  readonly id?: string;
  readonly tag: keyof typeof TAGS;
  /** Status of a success. */
  readonly status: 200 | 201 | 202;
  /** Query parameters with the fields of the input that they map to. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: BodySpec;
  readonly headers?: Readonly<Record<string, HeaderSpec>>;
  /** Schema of the body of a success. Default: the output of the operation. */
  readonly response?: JsonSchema;
  /** Media type of a success. Default: `application/json`. */
  readonly mediaType?: string;
  /** Whether a success carries an entity tag. Default: false. */
  readonly etag?: true;
  /** Codes of its own errors, in addition to those that follow from its path, query and body. */
  readonly errors?: readonly OperationCode[];
  /** Absent only if the response is not JSON of the operation. */
  readonly example?: HttpExample;
}

/** A path parameter: the field of the input that it maps to, its schema, and an example. */
interface PathParameter {
  readonly field: string;
  readonly schema: JsonSchema;
  readonly description: string;
  readonly example: string;
}

/** All path parameters. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  slug: {
    field: 'project',
    schema: { ...text, pattern: SLUG_PATTERN },
    description: 'Folder name of the project.',
    example: 'handbook',
  },
  name: {
    field: 'name',
    schema: { ...text, minLength: 1, maxLength: 128 },
    description: 'Name of the trigger.',
    example: 'nightly',
  },
  runId: {
    field: 'run_id',
    schema: { ...text, format: 'uuid' },
    description: 'Id of the run.',
    example: sample.RUN_ID,
  },
  sessionId: {
    field: 'session_id',
    schema: { ...text, format: 'uuid' },
    description: 'Session id of the chat.',
    example: sample.SESSION_ID,
  },
  file: {
    field: 'file',
    schema: text,
    description: 'Name of the prompt file, with its slashes as %2F.',
    example: 'report.md',
  },
};
