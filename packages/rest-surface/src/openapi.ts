import { SLUG_PATTERN } from '@svc/records';
import { exactly, issueSchema, listOf, text } from './common.schema.ts';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';
import { EXAMPLES } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import { type RouteFacts, TAGS } from './route.ts';

const errorSchema: JsonSchema = {
  $id: 'Error',
  description: 'Why a request was refused.',
  ...exactly(
    {
      error: { ...text, description: 'One sentence that says what to do.' },
      code: { enum: Object.keys(ERROR_STATUS) },
    },
    { issues: { ...listOf(issueSchema), description: 'Every fault of the input.' } },
  ),
};

const SEGMENTS: Readonly<Record<string, JsonSchema>> = {
  slug: { schema: { ...text, pattern: SLUG_PATTERN }, description: 'Folder name of the project.' },
  name: { schema: { ...text, minLength: 1, maxLength: 128 }, description: 'Name of the trigger.' },
  runId: { schema: { ...text, format: 'uuid' }, description: 'Id of the run.' },
  sessionId: { schema: { ...text, format: 'uuid' }, description: 'Session id of the chat.' },
};

/** Makes the OpenAPI 3.1 document of the routes; `version` is that of the service. */
export function openApiDocument(
  routes: readonly RouteFacts[],
  options: { readonly version: string },
): JsonSchema {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] ??= {};
    paths[path][route.method] = lift(operationOf(route), schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      description: 'Projects with long-lived agents, and the triggers that start them.',
      version: options.version,
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas },
  };
}

function operationOf(route: RouteFacts): JsonSchema {
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    parameters: parametersOf(route),
    ...(route.body && {
      requestBody: {
        required: route.body.required,
        content: {
          'application/json': withExample(route.body.schema, EXAMPLES[route.operation]?.body),
        },
      },
    }),
    responses: { ...successOf(route), ...errorsOf(route) },
  };
}

function parametersOf(route: RouteFacts): JsonSchema[] {
  const segments = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...SEGMENTS[name],
  }));
  const query = Object.entries(route.query?.properties ?? {}).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      schema,
      ...(schema['type'] === 'array' && { style: 'form', explode: false }),
      ...(description !== undefined && { description }),
    }),
  );
  const headers = Object.entries(route.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: text,
  }));
  return [...segments, ...query, ...headers];
}

function successOf(route: RouteFacts): JsonSchema {
  const success = {
    description: 'Success.',
    ...(route.etag && { headers: { ETag: { schema: text, description: 'Entity tag.' } } }),
    content: {
      [route.mediaType ?? 'application/json']: withExample(
        route.response,
        EXAMPLES[route.operation]?.response,
      ),
    },
  };
  const unchanged = { description: 'The caller has the current one already.' };
  const conditional = route.etag === true && route.method === 'get';
  return { [route.status]: success, ...(conditional && { 304: unchanged }) };
}

function withExample(schema: JsonSchema, example: object | undefined): JsonSchema {
  return { schema, ...(example && { example }) };
}

function errorsOf(route: RouteFacts): JsonSchema {
  const codes: ErrorCode[] = ['invalid', 'forbidden_host', 'internal', ...(route.errors ?? [])];
  if (route.changes === true) codes.push('forbidden_origin');
  if (route.path.includes(':')) codes.push('not_found');
  if (route.body !== undefined || route.method === 'post') {
    codes.push('payload_too_large', 'unsupported_media_type');
  }
  const answers: Record<string, unknown> = {};
  for (const status of new Set(codes.map((code) => ERROR_STATUS[code]))) {
    const named = codes.filter((code) => ERROR_STATUS[code] === status);
    answers[status] = {
      description: `Refused: ${named.join(' or ')}.`,
      content: { 'application/json': { schema: errorSchema } },
    };
  }
  return answers;
}

// A schema that names itself is told once, among the components, and referred to everywhere else.
function lift(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => lift(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $id, ...rest } = value as Record<string, unknown>;
  const lifted = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [
      key,
      key === 'example' ? inner : lift(inner, schemas),
    ]),
  );
  if (typeof $id !== 'string') return lifted;
  schemas[$id] = lifted;
  return { $ref: `#/components/schemas/${$id}` };
}
