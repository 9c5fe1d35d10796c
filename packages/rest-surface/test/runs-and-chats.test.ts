import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { CHAT, HEALTH, NODE, PROJECT, RUN, RUN_ID, SESSION_ID } from './fake-ops.ts';
import { type RunningSurface, startSurface } from './surface.ts';

const ALPHA = '/api/projects/alpha';
const OTHER = '01990000-0000-7000-8000-00000000ffff';
let rest: RunningSurface;
beforeAll(async () => {
  rest = await startSurface();
});
beforeEach(() => rest.ops.reset());
afterAll(() => rest.close());

describe('runs', () => {
  it('lists them with the parameters of the query', async () => {
    const search = `trigger=a+b%26c&outcome=no_model,failed&from=2026-01-01T02:00:00%2B02:00&limit=7&cursor=${RUN_ID}`;
    const { status, body } = await rest.ask('GET', `${ALPHA}/runs?${search}`);
    expect([status, body]).toEqual([200, { runs: [RUN], next: RUN_ID, removed: null }]);
    const input = {
      project: 'alpha',
      trigger: 'a b&c',
      outcome: ['no_model', 'failed'],
      from: '2026-01-01T02:00:00+02:00',
      limit: 7,
      cursor: RUN_ID,
    };
    expect(rest.ops.calls).toEqual([{ operation: 'list_runs', input, caller: USER }]);
  });

  it('lists and finds those of all projects', async () => {
    const { status, body } = await rest.ask('GET', '/api/runs?outcome=failed&limit=7');
    expect([status, body]).toEqual([200, { runs: [RUN], next: RUN_ID }]);
    expect(rest.ops.calls[0]?.input).toEqual({ outcome: ['failed'], limit: 7 });
    const one = await rest.ask('GET', `/api/runs/${RUN_ID}`);
    expect([one.status, one.body]).toEqual([200, RUN]);
    const none = await rest.ask('GET', `/api/runs/${OTHER}`);
    expect([none.status, none.body['code']]).toEqual([404, 'not_found']);
  });

  it('lists those of one trigger', async () => {
    const { status } = await rest.ask('GET', `${ALPHA}/triggers/a%20b/runs?limit=200`);
    expect(status).toBe(200);
    expect(rest.ops.calls[0]?.input).toEqual({ project: 'alpha', name: 'a b', limit: 200 });
  });

  it('returns one, and cancels it with 202', async () => {
    const one = await rest.ask('GET', `${ALPHA}/runs/${RUN_ID}`);
    expect([one.status, one.body]).toEqual([200, RUN]);
    const cancelled = await rest.ask('POST', `${ALPHA}/runs/${RUN_ID}/cancel`);
    expect([cancelled.status, cancelled.body]).toEqual([202, RUN]);
    expect(rest.ops.calls[1]?.input).toEqual({ project: 'alpha', run_id: RUN_ID });
  });

  it('cancels the turn of a chat with 202', async () => {
    const { status, body } = await rest.ask('POST', `${ALPHA}/chats/${SESSION_ID}/cancel`);
    expect([status, body]).toMatchObject([202, { sessionId: SESSION_ID, runId: null }]);
    const input = { project: 'alpha', session_id: SESSION_ID };
    expect(rest.ops.calls).toEqual([{ operation: 'cancel_turn', input, caller: USER }]);
  });

  it.each([
    ['GET', `/runs/${OTHER}`],
    ['GET', '/runs/x'],
    ['POST', `/runs/${OTHER}/cancel`],
    ['GET', `/chats/${OTHER}`],
    ['POST', `/chats/${OTHER}/archive`],
    ['POST', `/chats/${OTHER}/cancel`],
  ])('%s %s is 404', async (method, tail) => {
    const { status, body } = await rest.ask(method, ALPHA + tail);
    expect([status, body['code']]).toEqual([404, 'not_found']);
  });

  it.each([
    ['', {}],
    ['?hours=168', { hours: 168 }],
  ])('lists upcoming runs%s', async (search, hours) => {
    const { body } = await rest.ask('GET', `${ALPHA}/upcoming${search}`);
    expect(body).toEqual({
      fires: [{ trigger: 'nightly', at: '2026-01-01T00:00:00.000Z' }],
      frequent: [{ trigger: 'often', firesPerDay: 1440 }],
    });
    expect(rest.ops.calls[0]?.input).toEqual({ project: 'alpha', ...hours });
  });

  it('previews a schedule', async () => {
    const { status, body } = await rest.ask(
      'GET',
      '/api/preview?cron=0+3+*+*+1-5&timezone=Europe%2FBerlin&count=100',
    );
    expect(status).toBe(200);
    expect(body['description']).toBe('Daily.');
    const request = { cron: '0 3 * * 1-5', timezone: 'Europe/Berlin', count: 100 };
    expect(rest.ops.calls[0]?.input).toEqual(request);
  });
});

describe('projects', () => {
  it('lists, reads and creates them', async () => {
    const list = await rest.ask('GET', '/api/projects');
    expect([list.status, list.body]).toEqual([
      200,
      { projects: [{ ...PROJECT, health: HEALTH, node: null }] },
    ]);
    const one = await rest.ask('GET', ALPHA);
    expect([one.status, one.body]).toEqual([200, PROJECT]);
    const json = { name: 'Alpha', slug: 'alpha', summary: 's', area: 'a', status: 'idea' };
    const made = await rest.ask('POST', '/api/projects', { json });
    expect([made.status, made.body]).toEqual([201, PROJECT]);
    expect(rest.ops.calls.at(-1)).toMatchObject({ operation: 'create_project', input: json });
  });
});

const OF_CHAT = { project: 'alpha', session_id: SESSION_ID };

describe('chats', () => {
  it('lists them', async () => {
    const { status, body } = await rest.ask(
      'GET',
      `${ALPHA}/chats?includeArchived=true&limit=5&cursor=abc`,
    );
    expect([status, body]).toEqual([200, { chats: [CHAT], omittedArchived: 3, next: null }]);
    const input = { project: 'alpha', include_archived: true, limit: 5, cursor: 'abc' };
    expect(rest.ops.calls[0]?.input).toEqual(input);
  });

  it('returns one with its messages', async () => {
    const { body } = await rest.ask('GET', `${ALPHA}/chats/${SESSION_ID}?limit=1000&cursor=9`);
    expect(body).toMatchObject({ ...CHAT, messages: [{ seq: 1, text: 'Tidy up.' }], next: null });
    expect(rest.ops.calls[0]?.input).toEqual({ ...OF_CHAT, limit: 1000, cursor: '9' });
  });

  it('returns one with the messages after a number', async () => {
    const { body } = await rest.ask('GET', `${ALPHA}/chats/${SESSION_ID}?limit=1&after=0`);
    expect(body).toMatchObject({ ...CHAT, messages: [{ seq: 1 }], next: '1' });
    expect(rest.ops.calls[0]?.input).toEqual({ ...OF_CHAT, limit: 1, after: 0 });
  });

  it('starts one with 201', async () => {
    const json = { prompt: 'Hello', name: 'Greeting', model: 'small' };
    const { status, body } = await rest.ask('POST', `${ALPHA}/chats`, { json });
    expect([status, body]).toEqual([201, CHAT]);
    expect(rest.ops.calls[0]).toMatchObject({ input: { project: 'alpha', ...json }, caller: USER });
  });

  it('takes a message with 202', async () => {
    const { status, body } = await rest.ask('POST', `${ALPHA}/chats/${SESSION_ID}/messages`, {
      json: { prompt: 'And now?' },
    });
    const expected = { sent: true, project: 'alpha', sessionId: SESSION_ID, prompt: 'And now?' };
    expect([status, body]).toEqual([202, expected]);
  });

  it.each([
    ['archive', true],
    ['unarchive', false],
  ])('returns the new state after %s', async (verb, archived) => {
    const { status, body } = await rest.ask('POST', `${ALPHA}/chats/${SESSION_ID}/${verb}`);
    expect([status, body]).toEqual([200, { archived, project: 'alpha', sessionId: SESSION_ID }]);
  });

  it.each([
    ['no body', {}, {}],
    ['an empty object', { json: {} }, {}],
    [
      'a prompt',
      { json: { prompt: 'Continue', name: 'Copy' } },
      { prompt: 'Continue', name: 'Copy' },
    ],
  ])('forks with %s', async (_, request, given) => {
    const { status } = await rest.ask('POST', `${ALPHA}/chats/${SESSION_ID}/fork`, request);
    expect(status).toBe(201);
    expect(rest.ops.calls[0]?.input).toEqual({ ...OF_CHAT, ...given });
  });
});

describe('the service', () => {
  it('lists activity and effective settings', async () => {
    const status = await rest.ask('GET', '/api/status');
    expect(status.body).toMatchObject({
      ...{ nodes: [NODE], answeredBy: NODE.id },
      running: [{ project: 'alpha', runId: null, node: NODE.id }],
    });
    expect(rest.ops.calls.map(({ operation }) => operation)).toEqual(['read_status']);
    const settings = await rest.ask('GET', '/api/settings');
    expect(settings.body).toMatchObject({
      settings: { 'server.port': { value: 0, source: 'flag' } },
      runtimes: [{ ready: false, reason: 'It is broken.' }],
    });
  });
});

describe('the processes of the service', () => {
  // proves: nodes.listed
  it('have exactly the documented fields', async () => {
    const { status, body } = await rest.ask('GET', '/api/nodes');
    expect([status, body]).toEqual([200, { nodes: [NODE] }]);
  });
});

describe('queries that are not valid', () => {
  it.each([
    [`${ALPHA}/runs?limit=0`, 'limit', 'must be at least 1.'],
    [`${ALPHA}/runs?limit=201`, 'limit', 'must be at most 200.'],
    [`${ALPHA}/runs?limit=1e2`, 'limit', 'must be an integer.'],
    [`${ALPHA}/runs?limit=1.5`, 'limit', 'must be an integer.'],
    [`${ALPHA}/runs?limit=`, 'limit', 'must be an integer.'],
    [`${ALPHA}/runs?limit=5&limit=6`, 'limit', 'must be given only once.'],
    [`${ALPHA}/runs?trigger=`, 'trigger', 'must not be empty.'],
    [`${ALPHA}/runs?trigger=a%00`, 'trigger', 'must not contain a NUL character.'],
    [`${ALPHA}/runs?outcome=fine`, 'outcome', /^must be one of 'succeeded', /],
    [`${ALPHA}/runs?outcome=failed,fine`, 'outcome', /^must be one of 'succeeded', /],
    [`${ALPHA}/runs?outcome=`, 'outcome', /^must be one of 'succeeded', /],
    [`${ALPHA}/runs?from=yesterday`, 'from', /^must be a time with its zone/],
    [`${ALPHA}/runs?from=2026-01-01`, 'from', /^must be a time with its zone/],
    [`${ALPHA}/runs?from=2026-02-30T00:00:00Z`, 'from', /^must be a time with its zone/],
    [`${ALPHA}/runs?from=2026-13-01T00:00:00Z`, 'from', /^must be a time with its zone/],
    [`${ALPHA}/runs?cursor=x`, 'cursor', /^must be an id/],
    [
      `${ALPHA}/runs?triger=x`,
      'triger',
      /Known parameters: trigger, outcome, from, limit, cursor\.$/,
    ],
    [`${ALPHA}/runs?__proto__=x`, '__proto__', /^is not a known parameter/],
    [`${ALPHA}/runs?toString=x`, 'toString', /^is not a known parameter/],
    [`${ALPHA}/triggers?x=1`, 'x', 'is not a known parameter. This endpoint has no parameters.'],
    [`${ALPHA}/triggers/nightly/runs?trigger=x`, 'trigger', /is not a known parameter/],
    [`${ALPHA}/upcoming?hours=169`, 'hours', 'must be at most 168.'],
    [
      `${ALPHA}/chats?include_archived=true`,
      'include_archived',
      /Known parameters: includeArchived, /,
    ],
    [`${ALPHA}/chats?includeArchived=yes`, 'includeArchived', /must be a boolean\.$/],
    [`${ALPHA}/chats/${SESSION_ID}?limit=1001`, 'limit', 'must be at most 1000.'],
    [`${ALPHA}/chats/${SESSION_ID}?after=-1`, 'after', 'must be at least 0.'],
    [`${ALPHA}/chats/${SESSION_ID}?after=1&cursor=1`, 'after', /^cannot be combined with cursor/],
    ['/api/preview?cron=&count=101', 'cron', 'must not be empty.'],
    ['/api/preview?interval=1h&count=101', 'count', 'must be at most 100.'],
    ['/api/events?projet=alpha', 'projet', /Known parameters: project\.$/],
  ])('%s', async (path, parameter, message) => {
    const { status, body } = await rest.ask('GET', path);
    expect([status, body['code']]).toEqual([400, 'invalid']);
    const issues = body['issues'] as { path: string; message: string }[];
    expect(issues[0]).toMatchObject({ path: parameter });
    expect(issues[0]?.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    expect(rest.ops.calls).toEqual([]);
  });

  it('report every issue at once', async () => {
    const { body } = await rest.ask('GET', `${ALPHA}/runs?limit=0&outcome=x&from=y&zzz=1`);
    const paths = (body['issues'] as { path: string }[]).map((issue) => issue.path);
    expect(paths.sort()).toEqual(['from', 'limit', 'outcome', 'zzz']);
  });
});
