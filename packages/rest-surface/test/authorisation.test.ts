import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { CATALOGUE, type Caller, TABLE, USER } from '@svc/ops';
import { createRestSurface } from '@svc/rest-surface';
import express from 'express';
import { createFakeOps, type FakeOps, RECORD, RUN_ID, SESSION_ID } from './fake-ops.ts';
import { authOf, startSurface } from './surface.ts';

const WITHOUT_SCOPE: Caller = { ...USER, scope: { ...USER.scope, allow: [], projects: [] } };
const READER: Caller = {
  ...USER,
  scope: { ...USER.scope, allow: TABLE.filter(reads).map(({ name }) => name) },
};
const ELSEWHERE: Caller = { ...USER, scope: { ...USER.scope, projects: ['beta'] } };

function reads({ policy }: (typeof TABLE)[number]): boolean {
  return policy.effect === 'reads';
}

interface Served {
  readonly url: string;
  readonly ops: FakeOps;
  caller: Caller;
  close(): void;
}

async function serve(): Promise<Served> {
  const deps = { clock: createFakeClock(), logger: createMemoryLogger() };
  const ops = createFakeOps(deps);
  const auth = authOf(deps.clock);
  const served = { ops, caller: USER, url: '', close: () => {} };
  const surface = createRestSurface(
    { ...deps, operations: ops.operations, callerOf: () => served.caller, auth },
    { version: '1' },
  );
  const server = createServer(express().use(surface.handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  served.close = () => {
    surface.close();
    server.closeAllConnections();
    server.close();
  };
  return served;
}

interface RouteOfDocument {
  readonly method: string;
  readonly path: string;
  readonly body: boolean;
}

// Read from the document, so that every route is covered.
const document = await (async () => {
  const rest = await startSurface();
  const { body } = await rest.ask('GET', '/api/openapi.json');
  await rest.close();
  return body as { paths: Record<string, Record<string, { requestBody?: object }>> };
})();
// Sessions are not operations: they decide who may call those.
const OPERATIONS = Object.entries(document.paths).filter(([path]) => path !== '/api/session');
// The HTML page of the document belongs to its operation too.
OPERATIONS.push(
  ...['/api/docs', '/api/docs/style.css'].map(
    (path) => [path, { get: {} }] as [string, { get: object }],
  ),
);
const ROUTES: readonly RouteOfDocument[] = OPERATIONS.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { requestBody }]) => ({
    method: method.toUpperCase(),
    path: path
      .replace('{slug}', 'alpha')
      .replace('{name}', 'nightly')
      .replace('{runId}', RUN_ID)
      .replace('{sessionId}', SESSION_ID)
      .replace('{file}', 'a%2Fb.md'),
    body: requestBody !== undefined,
  })),
);

let served: Served;
beforeAll(async () => {
  served = await serve();
});
beforeEach(() => served.ops.reset());
afterAll(() => served.close());

async function ask({ method, path, body }: RouteOfDocument, search = '') {
  const json = path.endsWith('/chats') || path.includes('/chats/') ? { prompt: 'x' } : RECORD;
  const own = path === '/api/projects' ? { name: 'New' } : json;
  const bodies: Record<string, object> = {
    run: { event: {} },
    pause: { reason: 'x' },
    test: { sink: 'ops' },
    'confirm-file': {},
  };
  const sent = bodies[path.split('/').at(-1) ?? ''] ?? own;
  const controller = new AbortController();
  const response = await fetch(served.url + path + search, {
    method,
    signal: controller.signal,
    ...(body
      ? { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }
      : {}),
  });
  const { status, headers } = response;
  const isStream = headers.get('content-type') === 'text/event-stream';
  const text = isStream ? '' : await response.text();
  controller.abort();
  return { status, text };
}

describe('a caller whose scope is empty', () => {
  it.each(ROUTES)('gets no data from $method $path', async (route) => {
    served.caller = WITHOUT_SCOPE;
    for (const search of ['', '?x=1']) {
      const { status, text } = await ask(route, search);
      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual({
        code: 'not_permitted',
        error: expect.stringMatching(
          /^not permitted: operation [a-z_]+ is outside this client's scope$/,
        ),
      });
    }
    expect(served.ops.calls).toEqual([]);
  });

  it('is tested on as many routes as there are operations of people', () => {
    expect(ROUTES.length).toBeGreaterThan(20);
  });
});

describe('a caller who may do everything', () => {
  it.each(ROUTES)('gets a response from $method $path', async (route) => {
    served.caller = USER;
    expect((await ask(route)).status).toBeLessThan(300);
  });
});

describe('a caller who may only read', () => {
  it.each(ROUTES)('changes nothing by $method $path', async (route) => {
    served.caller = READER;
    const { status } = await ask(route);
    const isRefused = status === 403;
    expect(isRefused || status < 300).toBe(true);
    if (!isRefused) expect([route.method, route.path]).toEqual(readingRoute(route));
    for (const { operation } of served.ops.calls) {
      expect(READER.scope.allow).toContain(operation);
    }
  });

  // Validation without storing is the only reading route with a body.
  function readingRoute({ path }: RouteOfDocument): [string, string] {
    return [path.endsWith('/validate-trigger') ? 'POST' : 'GET', path];
  }
});

describe('a caller of another project', () => {
  it.each(ROUTES.filter(({ path }) => path.includes('/alpha')))(
    'is denied $method $path',
    async (route) => {
      served.caller = ELSEWHERE;
      expect((await ask(route)).status).toBe(403);
      expect(served.ops.calls).toEqual([]);
    },
  );
});

it('the tool operations are the complete catalog of scopes', () => {
  const tools = TABLE.filter(({ tool }) => tool !== null).map(({ name }) => name);
  expect(Object.keys(CATALOGUE)).toEqual(tools);
  expect(TABLE.every(({ tool, policy }) => (tool === null) === (policy.gate === null))).toBe(true);
});
