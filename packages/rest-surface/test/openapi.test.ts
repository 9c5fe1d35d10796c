import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { runNetworkSchema, runSchema } from '@svc/records';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type RunningSurface, startSurface } from './surface.ts';

let rest: RunningSurface;
let document: Record<string, unknown>;
beforeAll(async () => {
  rest = await startSurface();
  document = (await rest.ask('GET', '/api/openapi.json')).body;
});
afterAll(() => rest.close());

const ROUTES = [
  'DELETE /api/projects/{slug}/triggers/{name}',
  'DELETE /api/session',
  'GET /api/events',
  'GET /api/logs',
  'GET /api/nodes',
  'GET /api/openapi.json',
  'GET /api/preview',
  'GET /api/projects',
  'GET /api/projects/{slug}',
  'GET /api/projects/{slug}/chats',
  'GET /api/projects/{slug}/chats/{sessionId}',
  'GET /api/projects/{slug}/events',
  'GET /api/projects/{slug}/prompt-files',
  'GET /api/projects/{slug}/prompt-files/{file}',
  'GET /api/projects/{slug}/runs',
  'GET /api/projects/{slug}/runs/{runId}',
  'GET /api/projects/{slug}/triggers',
  'GET /api/projects/{slug}/triggers/runtime',
  'GET /api/projects/{slug}/triggers/{name}',
  'GET /api/projects/{slug}/triggers/{name}/changes',
  'GET /api/projects/{slug}/triggers/{name}/runs',
  'GET /api/projects/{slug}/triggers/{name}/why',
  'GET /api/projects/{slug}/upcoming',
  'GET /api/projects/{slug}/usage',
  'GET /api/runs',
  'GET /api/runs/{runId}',
  'GET /api/session',
  'GET /api/settings',
  'GET /api/status',
  'POST /api/alerts/test',
  'POST /api/pause',
  'POST /api/projects',
  'POST /api/projects/{slug}/chats',
  'POST /api/projects/{slug}/chats/{sessionId}/archive',
  'POST /api/projects/{slug}/chats/{sessionId}/cancel',
  'POST /api/projects/{slug}/chats/{sessionId}/fork',
  'POST /api/projects/{slug}/chats/{sessionId}/messages',
  'POST /api/projects/{slug}/chats/{sessionId}/unarchive',
  'POST /api/projects/{slug}/confirm-file',
  'POST /api/projects/{slug}/runs/{runId}/cancel',
  'POST /api/projects/{slug}/triggers/{name}/resume',
  'POST /api/projects/{slug}/triggers/{name}/run',
  'POST /api/projects/{slug}/validate-trigger',
  'POST /api/resume',
  'POST /api/session',
  'PUT /api/projects/{slug}/triggers/{name}',
];

interface Content {
  readonly content?: Record<string, { readonly example?: unknown }>;
}

// Every other JSON response has an example.
const UNSHOWN = new Set(['read_openapi']);

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
}

/** The operations of the document, each with its pointer. */
function operations(): { at: string; operation: Operation }[] {
  const paths = document['paths'] as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      at: `/paths/${path.replaceAll('/', '~1').replace(/[{}]/g, encodeURIComponent)}/${method}`,
      operation,
    })),
  );
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'svc', version: '1.2.3' } });
  });

  it('passes the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
  });

  // proves: state.no-verb
  it('lists every route, each with a unique id', () => {
    const paths = document['paths'] as Record<string, Record<string, { operationId: string }>>;
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.sort()).toEqual(ROUTES);
    const names = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('has a tag for each operation', () => {
    const { tags } = document as unknown as { tags: { name: string; description: string }[] };
    const known = tags.map(({ name }) => name);
    expect(known).toEqual(['triggers', 'runs', 'chats', 'projects', 'service']);
    const used = new Set(operations().flatMap(({ operation }) => operation.tags));
    expect([...used].sort()).toEqual([...known].sort());
  });

  it('has an example of each body and response, which matches its schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const without: string[] = [];
    for (const { at, operation } of operations()) {
      const parts = [
        ['requestBody', operation.requestBody?.content],
        ...Object.entries(operation.responses)
          .filter(([status]) => /^20[012]$/.test(status))
          .map(([status, { content }]) => [`responses/${status}`, content] as const),
      ] as const;
      for (const [part, content] of parts) {
        const media = content?.['application/json'];
        if (media === undefined || UNSHOWN.has(operation.operationId)) continue;
        if (media.example === undefined) without.push(`${at} ${part}`);
        const ref = `openapi#${at}/${part}/content/application~1json/schema`;
        const fits = ajv.validate({ $ref: ref }, media.example ?? null);
        expect([at, part, fits, ajv.errorsText()]).toEqual([at, part, true, 'No errors']);
      }
    }
    expect(without).toEqual([]);
  });

  it('refers only to its own components', () => {
    const { schemas } = document['components'] as { schemas: Record<string, unknown> };
    const text = JSON.stringify(document);
    const used = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]);
    expect(used.length).toBeGreaterThan(50);
    for (const ref of used) expect(schemas).toHaveProperty([String(ref).split('/').at(-1) ?? '']);
    expect(text).not.toContain('"$id"');
  });

  it('describes its components as strictly as the responses', () => {
    const { schemas } = document['components'] as { schemas: Record<string, object> };
    for (const [name, schema] of Object.entries(schemas)) {
      const strict = 'required' in schema || 'oneOf' in schema || 'additionalProperties' in schema;
      expect([name, strict]).toEqual([name, true]);
    }
    const { $id: _, ...run } = runSchema;
    const network = {
      ...run.properties.network,
      anyOf: [{ $ref: '#/components/schemas/RunNetwork' }, { type: 'null' }],
    };
    expect(schemas['Run']).toEqual({ ...run, properties: { ...run.properties, network } });
    const { $id: __, ...record } = runNetworkSchema;
    expect(schemas['RunNetwork']).toEqual(record);
  });

  it('lists every code of a refusal', () => {
    const { schemas } = document['components'] as { schemas: Record<string, object> };
    const codes = ['invalid', 'method_not_allowed', 'not_found', 'unavailable'];
    expect(schemas['Error']).toMatchObject({
      properties: { code: { enum: expect.arrayContaining(codes) } },
    });
  });

  it('contains the limits that are checked', async () => {
    const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;
    const list = paths['/api/projects/{slug}/runs']?.['get']?.['parameters'];
    expect(list).toContainEqual({
      name: 'limit',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    });
    const statuses = paths['/api/projects/{slug}/triggers/{name}/run']?.['post']?.['responses'];
    expect(Object.keys(statuses as object)).toEqual(
      expect.arrayContaining(['202', '400', '403', '404', '409', '413', '415', '500', '502']),
    );
  });
});
