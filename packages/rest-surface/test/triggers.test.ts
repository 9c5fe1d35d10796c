import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { RECENT, RECORD, RUN, RUN_ID, SCHEDULE, SESSION_ID, USED } from './fake-ops.ts';
import { type RunningSurface, startSurface } from './surface.ts';

const ALPHA = '/api/projects/alpha';
let rest: RunningSurface;
beforeAll(async () => {
  rest = await startSurface();
});
beforeEach(() => rest.ops.reset());
afterAll(() => rest.close());

describe('reading triggers', () => {
  // proves: rest.list, rest.list.catalogue, rest.list.events, rest.list.types
  it('lists triggers with the options of the editor, alike in both places', async () => {
    const { status, body } = await rest.ask('GET', `${ALPHA}/triggers`);
    expect(status).toBe(200);
    expect(body['triggers']).toEqual([
      {
        ...RECORD,
        lastRun: RUN,
        recentRuns: [RECENT],
        upcoming: ['2026-01-01T00:00:00.000Z'],
        usage: { today: USED, month: USED },
        runtimeInForce: 'native',
        schedule: SCHEDULE,
        etag: expect.stringMatching(/^"\d+"$/),
      },
    ]);
    expect(body['events']).toEqual(['onArchive', 'afterTurn']);
    expect(body['triggerTypes']).toEqual(['schedule', 'event', 'webhook']);
    const { tools, ...catalog } = body['catalog'] as Record<string, unknown>;
    const { grantableTools, events, triggerTypes } = body;
    expect(catalog).toEqual({ grantableTools, events, triggerTypes });
    expect(tools).toContainEqual(expect.objectContaining({ name: 'Bash', dangerous: true }));
  });

  // proves: rest.get
  it('returns one trigger with an entity tag, and 304 to clients that have it', async () => {
    const first = await rest.ask('GET', `${ALPHA}/triggers/nightly`);
    expect(first.status).toBe(200);
    expect(first.body).toEqual(RECORD);
    const etag = first.headers['etag'] ?? '';
    expect(etag).toMatch(/^"\d+"$/);
    const headers = { 'if-none-match': `"other", ${etag}` };
    const second = await rest.ask('GET', `${ALPHA}/triggers/nightly`, { headers });
    expect([second.status, second.body, second.headers['etag']]).toEqual([304, {}, etag]);
    const changed = await rest.ask('GET', `${ALPHA}/triggers/nightly`, {
      headers: { 'if-none-match': '"other"' },
    });
    expect(changed.status).toBe(200);
  });

  it('has warnings only if there are any', async () => {
    rest.ops.warn('Bash is not confined.');
    const { body } = await rest.ask('GET', `${ALPHA}/triggers/nightly`);
    expect(body).toEqual({
      ...RECORD,
      warnings: [{ path: 'run.tools', message: 'Bash is not confined.' }],
    });
  });

  // proves: rest.runtime, rest.runtime.first
  it('returns the runtime state instead of a trigger of that name', async () => {
    rest.ops.stored.set('runtime', RECORD);
    const { status, body } = await rest.ask('GET', `${ALPHA}/triggers/runtime`);
    expect(status).toBe(200);
    expect((body['runtime'] as unknown[]).length).toBe(2);
    expect(rest.ops.calls.map((call) => call.operation)).toEqual(['read_trigger_runtime']);
  });

  it('answers HEAD like GET, without the body', async () => {
    const head = await rest.ask('HEAD', `${ALPHA}/triggers/nightly`);
    const get = await rest.ask('GET', `${ALPHA}/triggers/nightly`);
    expect(head.status).toBe(200);
    expect(head.body).toEqual({});
    for (const name of ['etag', 'content-length', 'content-type']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  it('validates a record without storing it', async () => {
    const sent = { trigger: { type: 'webhook' } };
    const { status, body } = await rest.ask('POST', `${ALPHA}/validate-trigger`, { json: sent });
    expect(status).toBe(200);
    expect(body['valid']).toBe(false);
    const input = { project: 'alpha', record: sent };
    expect(rest.ops.calls).toMatchObject([{ operation: 'validate_trigger', input }]);
    const path = `${ALPHA}/validate-trigger?name=a+b`;
    const named = await rest.ask('POST', path, { json: sent });
    expect([body['edit'], named.body['edit']]).toEqual([undefined, null]);
    expect(rest.ops.calls[1]?.input).toEqual({ ...input, name: 'a b' });
  });
});

describe('prompt files', () => {
  it('are listed, and read by a name whose slashes are encoded', async () => {
    const list = await rest.ask('GET', `${ALPHA}/prompt-files`);
    expect(list.body).toMatchObject({ promptFiles: [{ name: 'a/b.md', usedBy: ['nightly'] }] });
    const one = await rest.ask('GET', `${ALPHA}/prompt-files/a%2Fb.md?source=schedule`);
    expect(one.body).toEqual({ source: 'schedule', name: 'a/b.md', text: 'Hi.' });
    const input = { project: 'alpha', source: 'schedule', file: 'a/b.md' };
    expect(rest.ops.calls.at(-1)?.input).toEqual(input);
    const bad = await rest.ask('GET', `${ALPHA}/prompt-files/a%2Fb.md?source=x`);
    expect(bad.status).toBe(400);
  });

  it.each(['x.md', '..%2Fproject.yaml', '%00', '%zz', 'a/b.md', '..'])(
    '%s is 404',
    async (name) => {
      const { status, body } = await rest.ask('GET', `${ALPHA}/prompt-files/${name}`);
      expect([status, body['code']]).toEqual([404, 'not_found']);
    },
  );
});

describe('changing triggers', () => {
  // proves: rest.put
  it.each([
    ['a new trigger', 'weekly'],
    ['a stored one', 'nightly'],
  ])('puts %s with 200, the record and its entity tag', async (_, name) => {
    const sent = { trigger: { type: 'schedule', cron: '@daily' }, run: { prompt: 'Go.' } };
    const put = await rest.ask('PUT', `${ALPHA}/triggers/${name}`, { json: sent });
    expect(put.status).toBe(200);
    expect(put.body).toEqual({ ...RECORD, name, agentName: `trigger-alpha-${name}` });
    expect(put.headers['etag']).toMatch(/^"/);
    const input = { project: 'alpha', name, record: sent };
    expect(rest.ops.calls[0]).toEqual({ operation: 'put_trigger', input, caller: USER });
  });

  it('accepts the response of GET', async () => {
    const { body } = await rest.ask('GET', `${ALPHA}/triggers/nightly`);
    const put = await rest.ask('PUT', `${ALPHA}/triggers/nightly`, { json: body });
    expect([put.status, put.body]).toEqual([200, body]);
  });

  it.each(['PUT', 'DELETE'])('passes on the conditions of %s', async (method) => {
    const headers = { 'if-match': '"a", "b"', 'if-none-match': '*' };
    const json = method === 'PUT' ? { json: RECORD } : {};
    await rest.ask(method, `${ALPHA}/triggers/nightly`, { headers, ...json });
    expect(rest.ops.calls[0]?.input).toMatchObject({ if_match: '"a", "b"', if_none_match: '*' });
  });

  it('supports names with any allowed character', async () => {
    const name = "Ünï code/.. %41?#[]{}'".replace('/', '-');
    await rest.ask('PUT', `${ALPHA}/triggers/${encodeURIComponent(name)}`, { json: RECORD });
    expect(rest.ops.stored.has(name)).toBe(true);
  });

  // proves: rest.delete
  it('deletes, and returns whether the trigger existed', async () => {
    const first = await rest.ask('DELETE', `${ALPHA}/triggers/nightly`);
    const second = await rest.ask('DELETE', `${ALPHA}/triggers/nightly`);
    expect([first.status, first.body]).toEqual([200, { ok: true, name: 'nightly', removed: true }]);
    expect([second.status, second.body]).toEqual([
      200,
      { ok: true, name: 'nightly', removed: false },
    ]);
  });

  // proves: rest.run
  it('runs with 202 as soon as the chat exists', async () => {
    const { status, body } = await rest.ask('POST', `${ALPHA}/triggers/nightly/run`);
    expect(status).toBe(202);
    expect(body).toEqual({ ok: true, name: 'nightly', sessionId: SESSION_ID, runId: RUN_ID });
    expect(rest.ops.calls[0]?.input).toEqual({ project: 'alpha', name: 'nightly' });
  });

  // proves: events.data.sample
  it('runs an event trigger with test data', async () => {
    const event = { chat: { name: '<b>', messages: 2 } };
    const { status } = await rest.ask('POST', `${ALPHA}/triggers/nightly/run`, { json: { event } });
    expect(status).toBe(202);
    expect(rest.ops.calls[0]?.input).toEqual({ project: 'alpha', name: 'nightly', event });
  });

  // proves: events.data.sample
  it.each([
    [{ event: 'x' }, 'event'],
    [{ event: [] }, 'event'],
    [{ data: {} }, 'data'],
    [{ event: {}, wait_seconds: 1 }, 'wait_seconds'],
  ])('refuses other test data: %j', async (json, path) => {
    const { status, body } = await rest.ask('POST', `${ALPHA}/triggers/nightly/run`, { json });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid', issues: [{ path }] });
    expect(rest.ops.calls).toEqual([]);
  });

  // proves: rest.run.no-chat
  it.each(['run_failed', 'not_runnable'] as const)('answers 502 for %s', async (code) => {
    rest.ops.failWith({ code, message: 'The prompt file is missing.' });
    const { status, body } = await rest.ask('POST', `${ALPHA}/triggers/nightly/run`);
    expect([status, body]).toEqual([502, { error: 'The prompt file is missing.', code }]);
  });
});

describe('names and slugs', () => {
  const ROUTES = [
    ['GET', '/triggers'],
    ['GET', '/triggers/nightly'],
    ['PUT', '/triggers/nightly'],
    ['DELETE', '/triggers/nightly'],
    ['GET', '/triggers/runtime'],
    ['POST', '/triggers/nightly/run'],
    ['GET', '/triggers/nightly/runs'],
    ['POST', '/validate-trigger'],
    ['GET', '/runs'],
    ['GET', `/runs/${RUN_ID}`],
    ['POST', `/runs/${RUN_ID}/cancel`],
    ['GET', '/upcoming'],
    ['GET', ''],
    ['GET', '/chats'],
    ['POST', '/chats'],
    ['GET', `/chats/${SESSION_ID}`],
    ['POST', `/chats/${SESSION_ID}/messages`],
    ['POST', `/chats/${SESSION_ID}/archive`],
    ['POST', `/chats/${SESSION_ID}/unarchive`],
    ['POST', `/chats/${SESSION_ID}/fork`],
  ] as const;
  const SLUGS = [
    'beta',
    '%2e%2e',
    '%2E',
    '-x',
    'a%2Fb',
    '%00',
    'a'.repeat(65),
    'a%20b',
    '%zz',
    '%c3',
  ];

  it.each(ROUTES)('%s %s returns 404 for every unknown or invalid slug', async (method, tail) => {
    const json = tail.includes('chats') ? { prompt: 'Hello' } : RECORD;
    const good = method === 'GET' ? {} : { json };
    const requests: [string, object][] = [
      ['', good],
      ['?x=1', good],
      ['', { text: 'no json' }],
    ];
    for (const slug of SLUGS) {
      for (const [search, request] of requests) {
        const path = `/api/projects/${slug}${tail}${search}`;
        const { status, body } = await rest.ask(method, path, request);
        expect([slug, status, body['code']]).toEqual([slug, 404, 'not_found']);
      }
      if (slug !== 'beta') expect(rest.ops.calls).toEqual([]);
      rest.ops.reset();
    }
  });

  it.each([
    ['GET', '', 404],
    ['POST', '/run', 404],
    ['GET', '/runs', 404],
    ['DELETE', '', 200],
    ['PUT', '', 400],
  ])('%s …/:name%s returns %i for an invalid name', async (method, tail, expected) => {
    for (const name of [
      '%2e%2e',
      '%2E',
      'a%2Fb',
      '..%2f..',
      'a%00b',
      '%20a',
      '__proto__',
      'a%5Cb',
    ]) {
      const json = method === 'PUT' ? { json: RECORD } : {};
      const { status, body } = await rest.ask(method, `${ALPHA}/triggers/${name}${tail}`, json);
      expect([name, status]).toEqual([name, expected]);
      if (method === 'DELETE') expect(body['removed']).toBe(false);
      if (method === 'PUT')
        expect(body).toMatchObject({ code: 'invalid', issues: [{ path: 'name' }] });
    }
  });

  it.each([
    ['GET', 404],
    ['PUT', 400],
    ['DELETE', 200],
  ])(
    '%s of a name that cannot be decoded is treated like any invalid name',
    async (method, expected) => {
      const json = method === 'PUT' ? { json: RECORD } : {};
      for (const name of ['%zz', '%ff', '%']) {
        const { status, body } = await rest.ask(method, `${ALPHA}/triggers/${name}`, json);
        expect([name, status]).toEqual([name, expected]);
        if (method === 'DELETE') expect(body['removed']).toBe(false);
      }
    },
  );
});
