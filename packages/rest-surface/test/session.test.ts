import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestHandler } from 'express';
import { LOCAL_SECRET, type RunningSurface, startSurface } from './surface.ts';

const TOKEN = 'the-access-token-of-this-instance';
let rest: RunningSurface;
beforeAll(async () => {
  rest = await startSurface({ auth: { mode: 'token', token: TOKEN } });
});
afterAll(() => rest.close());

const local = { authorization: `Bearer ${LOCAL_SECRET}` };

interface Layer {
  readonly handle: RequestHandler & { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Every method and path of the router. */
function routesIn(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ handle, route }) => {
    if (route === undefined) return routesIn(handle.stack ?? []);
    const methods = Object.keys(route.methods).filter((method) => method !== '_all');
    return methods.map((method) => `${method} ${route.path}`);
  });
}

it('every route of the router is in the document, from which the tests of each route are generated', async () => {
  const { paths } = (await rest.ask('GET', '/api/openapi.json', { headers: local })).body as {
    paths: Record<string, object>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method} ${path.slice('/api'.length).replace(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  const { stack } = rest.surface.handler as unknown as { stack: readonly Layer[] };
  // The HTML pages of the document.
  const pages = ['get /docs', 'get /docs/style.css'];
  expect([...new Set(routesIn(stack))].sort()).toEqual([...documented, ...pages].sort());
});

describe('/api/session', () => {
  it.each(['PUT', 'PATCH', 'OPTIONS'])('does not support %s', async (method) => {
    const known = await rest.ask(method, '/api/session', { headers: local });
    expect([known.status, known.headers.allow]).toEqual([405, 'GET, HEAD, POST, DELETE']);
    expect((await rest.ask(method, '/api/session')).status).toBe(401);
  });

  it('answers HEAD, and takes no parameters', async () => {
    expect((await rest.ask('HEAD', '/api/session')).status).toBe(200);
    expect((await rest.ask('GET', '/api/session?token=x')).status).toBe(400);
  });

  it('reads a body by the same rules as other routes', async () => {
    const text = { text: TOKEN, headers: { 'content-type': 'text/plain' } };
    expect((await rest.ask('POST', '/api/session', text)).status).toBe(415);
    const huge = { json: { token: 'x'.repeat(1_048_577) } };
    expect((await rest.ask('POST', '/api/session', huge)).status).toBe(413);
    expect((await rest.ask('POST', '/api/session', { json: [TOKEN] })).status).toBe(400);
  });

  it('allows no page of another origin to sign in or out', async () => {
    const headers = { ...local, origin: 'https://evil.example', authorization: '' };
    const json = { token: TOKEN };
    const answer = await rest.ask('POST', '/api/session', { headers, json });
    expect([answer.status, answer.body['code']]).toEqual([403, 'forbidden_origin']);
    expect((await rest.ask('DELETE', '/api/session', { headers })).status).toBe(403);
  });

  it('has a response that must not be cached', async () => {
    const { headers, body } = await rest.ask('GET', '/api/session');
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({ mode: 'token', signedIn: false, user: null, role: null });
  });
});
