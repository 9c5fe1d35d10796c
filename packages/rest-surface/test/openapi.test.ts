import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { runSchema } from '@svc/records';
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
  'GET /api/events',
  'GET /api/openapi.json',
  'GET /api/preview',
  'GET /api/projects',
  'GET /api/projects/{slug}',
  'GET /api/projects/{slug}/chats',
  'GET /api/projects/{slug}/chats/{sessionId}',
  'GET /api/projects/{slug}/runs',
  'GET /api/projects/{slug}/runs/{runId}',
  'GET /api/projects/{slug}/triggers',
  'GET /api/projects/{slug}/triggers/runtime',
  'GET /api/projects/{slug}/triggers/{name}',
  'GET /api/projects/{slug}/triggers/{name}/runs',
  'GET /api/projects/{slug}/upcoming',
  'POST /api/projects',
  'POST /api/projects/{slug}/chats',
  'POST /api/projects/{slug}/chats/{sessionId}/archive',
  'POST /api/projects/{slug}/chats/{sessionId}/fork',
  'POST /api/projects/{slug}/chats/{sessionId}/messages',
  'POST /api/projects/{slug}/chats/{sessionId}/unarchive',
  'POST /api/projects/{slug}/runs/{runId}/cancel',
  'POST /api/projects/{slug}/triggers/{name}/run',
  'POST /api/projects/{slug}/validate-trigger',
  'PUT /api/projects/{slug}/triggers/{name}',
];

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'svc', version: '1.2.3' } });
  });

  it('lists every route, each with a name of its own', () => {
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

  it('refers only to components that it has', () => {
    const { schemas } = document['components'] as { schemas: Record<string, unknown> };
    const text = JSON.stringify(document);
    const used = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]);
    expect(used.length).toBeGreaterThan(50);
    for (const ref of used) expect(schemas).toHaveProperty([String(ref).split('/').at(-1) ?? '']);
    expect(text).not.toContain('"$id"');
  });

  it('describes its components as strictly as the answers are', () => {
    const { schemas } = document['components'] as { schemas: Record<string, object> };
    for (const [name, schema] of Object.entries(schemas)) {
      const strict = 'required' in schema || 'oneOf' in schema || 'additionalProperties' in schema;
      expect([name, strict]).toEqual([name, true]);
    }
    const { $id: _, ...run } = runSchema;
    expect(schemas['Run']).toEqual(run);
  });

  it('tells the limits that are checked', async () => {
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
