import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SvcError } from '@svc/core';
import type { OperationCode } from '@svc/ops';
import { RECORD, SESSION_ID } from './fake-ops.ts';
import { type RunningSurface, startSurface } from './surface.ts';

const TRIGGER = '/api/projects/alpha/triggers/nightly';
let rest: RunningSurface;
beforeAll(async () => {
  rest = await startSurface({ publicHosts: ['agents.example'] });
});
beforeEach(() => rest.ops.reset());
afterAll(() => rest.close());

const since = (mark: number) => rest.logger.lines.slice(mark);
const statusOf = (answer: string) => Number(answer.split(' ')[1]);

describe('refusals of operations', () => {
  it.each<[OperationCode, number]>([
    ['not_found', 404],
    ['invalid', 400],
    ['conflict', 409],
    ['precondition_failed', 412],
    ['run_failed', 502],
    ['not_runnable', 502],
    ['unavailable', 503],
  ])('%s is %i, with the unchanged sentence and issues', async (code, expected) => {
    const issues = [{ path: 'run.tools[2]', message: 'is unknown.', line: 3, column: 9 }];
    rest.ops.failWith({ code, message: 'Do something else.', issues });
    const { status, body } = await rest.ask('PUT', TRIGGER, { json: RECORD });
    expect([status, body]).toEqual([expected, { error: 'Do something else.', code, issues }]);
  });

  it.each([{}, { issues: [] }])('omits issues if there are none: %j', async (none) => {
    rest.ops.failWith({ code: 'conflict', message: 'Later.', ...none });
    const { body } = await rest.ask('GET', TRIGGER);
    expect(body).toEqual({ error: 'Later.', code: 'conflict' });
  });

  it.each([
    ['an error', new Error('/var/lib/svc/secret is broken')],
    ['a text', 'boom'],
    ['nothing at all', undefined],
  ])('%s thrown is 500, reported in the log only', async (_, thrown) => {
    const mark = rest.logger.lines.length;
    rest.ops.failWith({ thrown });
    const { status, body } = await rest.ask('GET', TRIGGER);
    const error = 'Internal error. See the log of svc.';
    expect([status, body]).toEqual([500, { error, code: 'internal' }]);
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    expect(since(mark)).toEqual([
      {
        level: 'error',
        message: 'operation failed unexpectedly',
        fields: { operation: 'read_trigger', error: message },
      },
    ]);
  });
});

describe('a fault of the machine', () => {
  it('is 503 with its sentence, and a warning in the log', async () => {
    const mark = rest.logger.lines.length;
    const error = 'The disk is full: free some space.';
    rest.ops.failWith({ thrown: new SvcError('unavailable', error) });
    const { status, body } = await rest.ask('GET', TRIGGER);
    expect([status, body]).toEqual([503, { error, code: 'unavailable' }]);
    expect(since(mark)).toEqual([
      {
        level: 'warn',
        message: 'operation failed, service unavailable',
        fields: { operation: 'read_trigger', error },
      },
    ]);
  });
});

describe('addresses that do not exist', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND', 'TRACE'];
  const PATHS = [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/projects/',
    '/api/Projects',
    '/api/%zz',
    '/api/projects/alpha/triggers/',
    '/api/projects/alpha/triggers/a/b',
    '/api/projects//triggers',
    '/api/..%2f..%2fetc',
    '/api/projects/alpha/../../x',
  ];
  it.each(METHODS)('%s is 404 in JSON', async (method) => {
    for (const path of PATHS) {
      const { status, headers, body } = await rest.ask(method, path);
      expect([path, status]).toEqual([path, 404]);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      if (method !== 'HEAD') expect(body).toMatchObject({ code: 'not_found' });
    }
  });

  it.each([
    ['POST', '/api/projects/alpha/triggers', 'GET, HEAD', 'GET and HEAD'],
    ['PATCH', TRIGGER, 'GET, HEAD, PUT, DELETE', 'GET, HEAD, PUT and DELETE'],
    [
      'PATCH',
      '/api/projects/alpha/triggers/runtime',
      'GET, HEAD, PUT, DELETE',
      'GET, HEAD, PUT and DELETE',
    ],
    ['GET', '/api/projects/alpha/validate-trigger', 'POST', 'POST'],
    ['HEAD', '/api/projects/alpha/validate-trigger', 'POST', 'POST'],
    ['GET', `${TRIGGER}/run`, 'POST', 'POST'],
    ['OPTIONS', '/api/projects', 'GET, HEAD, POST', 'GET, HEAD and POST'],
    ['TRACE', '/api/projects', 'GET, HEAD, POST', 'GET, HEAD and POST'],
    ['DELETE', '/api/events', 'GET, HEAD', 'GET and HEAD'],
    ['PUT', '/api/openapi.json', 'GET, HEAD', 'GET and HEAD'],
    ['PUT', '/api/projects/missing/triggers', 'GET, HEAD', 'GET and HEAD'],
  ])('%s %s is 405 and lists the allowed methods', async (method, path, allow, words) => {
    const { status, headers, body } = await rest.ask(method, path);
    expect([status, headers['allow']]).toEqual([405, allow]);
    if (method === 'HEAD') return;
    const error = `This endpoint supports ${words}, not ${method}.`;
    expect(body).toEqual({ error, code: 'method_not_allowed' });
  });

  it.each(['/api/projects', '/api/openapi.json', TRIGGER])('HEAD %s is like GET', async (path) => {
    const { status, headers, body } = await rest.ask('HEAD', path);
    const got = await rest.ask('GET', path);
    expect([status, body]).toEqual([got.status, {}]);
    expect(headers['content-length']).toBe(got.headers['content-length']);
  });

  it('leaves every other address to the application', async () => {
    for (const path of [
      '/',
      '/apis',
      '/apix/projects',
      '/API/projects',
      '//api/projects',
      '/x/api',
    ]) {
      const answer = await rest.raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect([path, answer.includes('<html>the page</html>')]).toEqual([path, true]);
    }
  });

  it('recognizes addresses in their absolute form too', async () => {
    const path = `http://localhost:${rest.port}${TRIGGER}`;
    const get = await rest.raw(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect([statusOf(get), get.includes('"nightly"')]).toEqual([200, true]);
    const foreign = await rest.raw(
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(foreign)).toBe(403);
  });
});

describe('the gate', () => {
  // proves: rest.browser-auth
  it.each([
    ['a foreign Host', 'GET', { host: 'evil.example' }, 'forbidden_host'],
    ['a foreign Origin', 'DELETE', { origin: 'http://evil.example' }, 'forbidden_origin'],
    ['the Origin null', 'PUT', { origin: 'null' }, 'forbidden_origin'],
  ])('refuses %s before any other check, with a warning', async (_, method, headers, code) => {
    const mark = rest.logger.lines.length;
    for (const path of [TRIGGER, '/api/nothing', '/api/%zz', '/api/projects/%2e%2e/triggers']) {
      const { status, body } = await rest.ask(method, path, { headers, text: 'not json' });
      expect([status, body]).toEqual([403, { error: expect.any(String), code }]);
    }
    expect(rest.ops.calls).toEqual([]);
    const lines = since(mark);
    expect(lines.map((line) => line.level)).toEqual(['warn', 'warn', 'warn', 'warn']);
    expect(lines[0]).toMatchObject({
      message: 'request rejected',
      fields: { code, method, peer: '127.0.0.1' },
    });
  });

  it('accepts the pages of the instance', async () => {
    const headers = { host: 'agents.example', origin: 'https://agents.example' };
    const { status } = await rest.ask('DELETE', TRIGGER, { headers });
    expect(status).toBe(200);
  });
});

describe('the log of changes', () => {
  const LINES: [string, string, object, string, string | null, string | null, string, number][] = [
    ['PUT', TRIGGER, { json: RECORD }, 'put_trigger', 'alpha', 'nightly', 'ok', 200],
    ['DELETE', TRIGGER, {}, 'remove_trigger', 'alpha', 'nightly', 'ok', 200],
    ['POST', `${TRIGGER}/run`, {}, 'run_trigger', 'alpha', 'nightly', 'ok', 202],
    ['POST', '/api/projects', { json: { name: 'A' } }, 'create_project', 'alpha', null, 'ok', 201],
    [
      'POST',
      '/api/projects/alpha/chats',
      { json: { prompt: 'TOP SECRET' } },
      'create_chat',
      'alpha',
      SESSION_ID,
      'ok',
      201,
    ],
    [
      'POST',
      `/api/projects/alpha/chats/${SESSION_ID}/messages`,
      { json: { prompt: 'TOP SECRET' } },
      'send_message',
      'alpha',
      SESSION_ID,
      'ok',
      202,
    ],
  ];
  it.each(LINES)('%s %s %j logs one message', async (...row) => {
    const [method, path, request, operation, project, target, outcome, status] = row;
    const mark = rest.logger.lines.length;
    expect((await rest.ask(method, path, request)).status).toBe(status);
    const fields = { who: 'user', operation, project, target, outcome, durationMs: 0 };
    expect(since(mark)).toEqual([{ level: 'info', message: 'operation called', fields }]);
  });

  it('truncates a name that is too long to be valid', async () => {
    const mark = rest.logger.lines.length;
    await rest.ask('DELETE', `/api/projects/alpha/triggers/${'x'.repeat(8000)}`);
    expect(since(mark)[0]?.fields['target']).toBe('x'.repeat(200));
  });

  it.each([
    ['PUT', TRIGGER, { text: 'x' }, 415],
    ['PUT', TRIGGER, { json: {} }, 400],
    ['POST', '/api/projects/b/chats', {}, 404],
  ])('%s %s %j is refused and logs nothing', async (method, path, request, status) => {
    const mark = rest.logger.lines.length;
    expect((await rest.ask(method, path, request)).status).toBe(status);
    expect(since(mark)).toEqual([]);
  });

  it('has no message for reading', async () => {
    const mark = rest.logger.lines.length;
    await rest.ask('GET', TRIGGER);
    await rest.ask('POST', '/api/projects/alpha/validate-trigger', { json: RECORD });
    expect(since(mark)).toEqual([]);
  });
});

it('every JSON response ends with a line break', async () => {
  for (const path of [TRIGGER, '/api/nothing', '/api/openapi.json']) {
    const answer = await fetch(rest.url + path, {
      headers: { 'accept-encoding': 'identity' },
    });
    const text = await answer.text();
    expect(text).toMatch(/^\{.*\}\n$/);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  }
});

it('no response may be cached or sniffed', async () => {
  for (const path of [TRIGGER, '/api/nothing', '/api/openapi.json', '/api/projects/%zz']) {
    const { headers } = await rest.ask('GET', path);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});
