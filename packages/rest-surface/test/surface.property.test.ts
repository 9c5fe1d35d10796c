import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RunningSurface, startSurface } from './surface.ts';

let rest: RunningSurface;
beforeAll(async () => {
  rest = await startSurface();
});
beforeEach(() => rest.ops.reset());
afterAll(() => rest.close());

const RUNS = { numRuns: 100 };

/** Path segments: well-formed, percent-encoded, and malformed in every way that a request line allows. */
const segment = fc.oneof(
  fc.constantFrom(
    'alpha',
    'nightly',
    'runtime',
    'triggers',
    'runs',
    'chats',
    'events',
    '',
    '.',
    '..',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text)),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[^!-~]/g, '').replace(/[#?]/g, '')),
  fc.stringMatching(/^(%[0-9a-fA-F]{2}){1,6}$/),
  fc.constantFrom('%', '%z', '%zz', '%00', '%2F', '%2e%2e', '%c0%ae', '%ff', '__proto__'),
);
const search = fc.oneof(
  fc.constant(''),
  fc
    .array(
      fc.tuple(
        fc.constantFrom('limit', 'from', 'before', 'outcome', 'trigger', 'cron', 'hours', 'x', ''),
        fc.oneof(fc.string({ maxLength: 8 }), fc.integer().map(String), segment),
      ),
      { maxLength: 4 },
    )
    .map((pairs) => `?${pairs.map(([k, v]) => `${k}=${v.replace(/[^!-~]|#/g, '%20')}`).join('&')}`),
);

async function answersProperly(method: string, path: string, request = {}): Promise<void> {
  const { status, headers, body } = await rest.ask(method, path, request);
  expect(status).toBeLessThan(500);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  if (status < 400) return;
  expect(body).toMatchObject({ error: expect.stringMatching(/\.$/), code: expect.any(String) });
}

it('any PUT body gets a JSON response', async () => {
  const text = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.object({ withNullPrototype: true }).map((value) => JSON.stringify(value)),
    fc.record({ trigger: fc.jsonValue(), run: fc.jsonValue() }).map((v) => JSON.stringify(v)),
  );
  await fc.assert(
    fc.asyncProperty(text, (text) =>
      answersProperly('PUT', '/api/projects/alpha/triggers/x', {
        text: text,
        headers: { 'content-type': 'application/json' },
      }),
    ),
    RUNS,
  );
});

it('any slug and name get a JSON response', async () => {
  const method = fc.constantFrom('GET', 'PUT', 'DELETE', 'POST');
  const tail = fc.constantFrom('', '/run', '/runs');
  await fc.assert(
    fc.asyncProperty(method, segment, segment, tail, search, (method, slug, name, tail, search) =>
      answersProperly(method, `/api/projects/${slug}/triggers/${name}${tail}${search}`),
    ),
    RUNS,
  );
});

it('any query gets a JSON response', async () => {
  const path = fc.constantFrom(
    '/api/preview',
    '/api/projects',
    '/api/projects/alpha/runs',
    '/api/projects/alpha/upcoming',
    '/api/projects/alpha/chats',
  );
  await fc.assert(
    fc.asyncProperty(path, search, (path, search) => answersProperly('GET', path + search)),
    RUNS,
  );
});
