import { SESSION_COOKIE } from '@svc/browser-auth';
import { type BodySpec, exactly, issueSchema, listOf, PATH_PARAMETERS, TAGS, text } from '@svc/ops';
import type { JsonSchema } from '@svc/schema';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';
import { fieldOf, operationOf, ROUTES, type RouteFacts } from './route.ts';
import { SESSION_FACTS } from './session-routes.ts';

const errorSchema: JsonSchema = {
  $id: 'Error',
  description: 'Why a request was refused.',
  ...exactly(
    {
      error: { ...text, description: 'What is wrong and how to fix it, in one sentence.' },
      code: { enum: Object.keys(ERROR_STATUS) },
    },
    {
      issues: { ...listOf(issueSchema), description: 'Every error in the input.' },
      pruned: {
        const: true,
        description: 'For not_found: set if retention removed it, or may have.',
      },
    },
  ),
};

const schemesOf = (sessionCookie: string) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token, or a JSON Web Token, depending on auth.mode.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: 'The cookie set by signing in at /api/session.',
  },
});

/** Options of the document. */
export interface DocumentOptions {
  readonly version: string;
  /** Name of the session cookie. Default: `SESSION_COOKIE` of browser-auth. */
  readonly sessionCookie?: string;
}

/** Creates the OpenAPI 3.1 document of all routes. */
export function restDocument({
  version,
  sessionCookie = SESSION_COOKIE,
}: DocumentOptions): JsonSchema {
  const securitySchemes = schemesOf(sessionCookie);
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of [...ROUTES, ...SESSION_FACTS]) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] ??= {};
    paths[path][route.method] = lift(described(route), schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      description: 'Projects with long-lived agents, and the triggers that start them.',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The instance that serves this document.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas, securitySchemes },
    // One of them, or none if the sign-in mode requires none.
    security: [...Object.keys(securitySchemes).map((name) => ({ [name]: [] })), {}],
  };
}

function described(route: RouteFacts): JsonSchema {
  const { id = route.operation, body } = route;
  return {
    operationId: id,
    tags: [route.tag],
    summary: operationOf(route).summary,
    ...(route.isOpen && { security: [{}] }),
    parameters: parametersOf(route),
    ...(body && {
      requestBody: {
        required: body.required,
        content: { 'application/json': withExample(bodySchema(route, body), route.example?.body) },
      },
    }),
    responses: { ...successOf(route), ...errorsOf(route) },
  };
}

function bodySchema(route: RouteFacts, body: BodySpec): JsonSchema {
  if ('field' in body) return fieldOf(route, body.field);
  const { id, description, fields } = body;
  const { required = [] } = operationOf(route).input;
  const needed = required.filter((field) => fields.includes(field));
  return {
    $id: id,
    ...(description !== undefined && { description }),
    type: 'object',
    additionalProperties: false,
    ...(needed.length > 0 && { required: needed }),
    properties: Object.fromEntries(fields.map((field) => [field, fieldOf(route, field)])),
  };
}

function parametersOf(route: RouteFacts): JsonSchema[] {
  const segments = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { field: _, ...described } = PATH_PARAMETERS[name] ?? { field: name };
    return { name, in: 'path', required: true, ...described };
  });
  const query = Object.entries(route.query ?? {}).map(([name, field]) => {
    const { description, ...schema } = fieldOf(route, field);
    const example = route.example?.query?.[name];
    return {
      name,
      in: 'query',
      schema,
      ...(schema['type'] === 'array' && { style: 'form', explode: false }),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
    };
  });
  const headers = Object.entries(route.headers ?? {}).map(([name, spec]) => ({
    name,
    in: 'header',
    description: 'field' in spec ? fieldOf(route, spec.field)['description'] : spec.description,
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
        route.response ?? ((operationOf(route).output ?? {}) as JsonSchema),
        route.example?.response,
      ),
    },
  };
  const unchanged = { description: 'Not modified.' };
  const conditional = route.etag === true && route.method === 'get';
  return { [route.status]: success, ...(conditional && { 304: unchanged }) };
}

function withExample(schema: JsonSchema, example: object | undefined): JsonSchema {
  return { schema, ...(example && { example }) };
}

function errorsOf(route: RouteFacts): JsonSchema {
  const codes: ErrorCode[] = ['invalid', 'forbidden_host', 'internal', ...(route.errors ?? [])];
  if (route.isOpen !== true) codes.push('auth_required', 'not_permitted', 'too_many_requests');
  if (operationOf(route).policy.effect !== 'reads') codes.push('forbidden_origin');
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

// A recursive schema is defined once, among the components, and referenced elsewhere.
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
