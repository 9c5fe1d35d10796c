import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { personCaller } from '@svc/ops';
import { createRestSurface } from '@svc/rest-surface';
import express from 'express';
import { createFakeOps, RECORD, RUN_ID, SESSION_ID } from './fake-ops.ts';
import { authOf, type RunningSurface, startSurface } from './surface.ts';

const PUT = '/api/projects/alpha/triggers/nightly';
const CHATS = '/api/projects/alpha/chats';
const MIB = 1_048_576;
let rest: RunningSurface;
beforeAll(async () => {
  rest = await startSurface();
});
beforeEach(() => rest.ops.reset());
afterAll(() => rest.close());

const head = (request: string, ...headers: string[]) =>
  [`${request} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
const statusOf = (answer: string) => Number(answer.split(' ')[1]);
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
/** A JSON object of exactly that many bytes. */
const sized = (bytes: number) => `{"prompt":"${'a'.repeat(bytes - 13)}"}`;

describe('the type of a body', () => {
  it.each([
    ['application/json', 200],
    ['Application/JSON; Charset="UTF-8"', 200],
    ['application/json;charset=utf8', 200],
    ['application/json; profile=x', 200],
    ['application/json; charset=latin1', 415],
    ['application/json; charset=utf-16', 415],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/merge-patch+json', 415],
    [';;;', 415],
    ['', 415],
  ])('%j is %i', async (type, expected) => {
    const text = JSON.stringify(RECORD);
    const { status, body } = await rest.ask('PUT', PUT, {
      text,
      headers: { 'content-type': type },
    });
    expect(status).toBe(expected);
    if (status !== 200) expect(body['code']).toBe('unsupported_media_type');
  });

  it.each(['gzip', 'br', 'nonsense'])('an encoding %s is 415', async (encoding) => {
    const bytes = gzipSync(JSON.stringify(RECORD));
    const answer = await rest.raw(
      head(
        `PUT ${PUT}`,
        'Content-Type: application/json',
        `Content-Encoding: ${encoding}`,
        `Content-Length: ${bytes.length}`,
      ),
      bytes,
    );
    expect([statusOf(answer), bodyOf(answer).code]).toEqual([415, 'unsupported_media_type']);
  });

  it.each([
    `/api/projects/alpha/triggers/nightly/run`,
    `/api/projects/alpha/runs/${RUN_ID}/cancel`,
    `${CHATS}/${SESSION_ID}/archive`,
    `${CHATS}/${SESSION_ID}/cancel`,
    `${CHATS}/${SESSION_ID}/fork`,
  ])('POST %s accepts an empty body of any type and null, and no other text', async (path) => {
    const headers = { 'content-type': 'text/html' };
    const empty = await rest.ask('POST', path, { headers, text: '' });
    const object = await rest.ask('POST', path, { json: {} });
    const none = await rest.ask('POST', path, { json: null });
    const other = await rest.ask('POST', path, { headers, text: 'x' });
    const broken = await rest.ask('POST', path, {
      headers: { 'content-type': 'application/json' },
      text: '{',
    });
    expect([empty, object, none].map((one) => Math.trunc(one.status / 100))).toEqual([2, 2, 2]);
    expect([other.status, broken.status]).toEqual([415, 400]);
  });

  it('an empty chunked body is empty', async () => {
    const answer = await rest.raw(
      head('POST /api/projects/alpha/triggers/nightly/run', 'Transfer-Encoding: chunked'),
      '0\r\n\r\n',
    );
    expect(statusOf(answer)).toBe(202);
  });
});

describe('the size of a body', () => {
  const send = (bytes: number) =>
    rest.ask('PUT', PUT, { json: { ...RECORD, run: { prompt: 'a'.repeat(bytes) } } });
  const frame = JSON.stringify({ ...RECORD, run: { prompt: '' } }).length;

  it('may be 1 MiB, but not a byte more', async () => {
    const [just, over] = [await send(MIB - frame), await send(MIB - frame + 1)];
    expect([just.status, over.status, over.body['code']]).toEqual([200, 413, 'payload_too_large']);
  });

  it('refuses a body by its announced length, before it is sent', async () => {
    const answer = await rest.raw(
      head(`POST ${CHATS}`, 'Content-Type: application/json', `Content-Length: ${50 * MIB}`),
      sized(100),
    );
    expect([statusOf(answer), bodyOf(answer).code]).toEqual([413, 'payload_too_large']);
  });

  it('refuses an endless chunked body as soon as it is too long', async () => {
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    const answer = await rest.raw(
      head(`POST ${CHATS}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
      ...Array.from({ length: 20 }, () => chunk),
    );
    expect([statusOf(answer), bodyOf(answer).code]).toEqual([413, 'payload_too_large']);
  });

  it('checks the type of a chunked body at its first byte', async () => {
    const answer = await rest.raw(
      head(`POST ${CHATS}`, 'Content-Type: text/plain', 'Transfer-Encoding: chunked'),
      '1\r\na\r\n',
    );
    expect([statusOf(answer), bodyOf(answer).code]).toEqual([415, 'unsupported_media_type']);
  });

  it('joins a body that arrives byte by byte, also inside characters', async () => {
    const bytes = Buffer.from('{"prompt":"Grüße 🌲"}');
    const answer = await rest.raw(
      head(`POST ${CHATS}`, 'Content-Type: application/json', `Content-Length: ${bytes.length}`),
      ...Array.from(bytes, (byte) => Buffer.from([byte])),
    );
    expect(statusOf(answer)).toBe(201);
    expect(rest.ops.calls[0]?.input).toMatchObject({ prompt: 'Grüße 🌲' });
  });

  it('continues after a client that disconnects in the middle, without a log message', async () => {
    const before = rest.logger.lines.length;
    const socket = connect(rest.port, '127.0.0.1');
    const asked = new Promise((resolve) => rest.server.once('request', resolve));
    socket.write(head(`PUT ${PUT}`, 'Content-Type: application/json', 'Content-Length: 500'));
    socket.write('{"trigger"');
    const request = (await asked) as NodeJS.ReadableStream;
    const closed = new Promise((resolve) => request.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
    const { status } = await rest.ask('GET', PUT);
    expect(status).toBe(200);
    expect(rest.ops.calls.map((call) => call.operation)).toEqual(['read_trigger']);
    expect(rest.logger.lines.slice(before)).toEqual([]);
  });
});

describe('the text of a body', () => {
  const type = { 'content-type': 'application/json' };
  it.each([
    ['', 'must have a JSON object as its body.', {}],
    ['{', /^has a body that is not valid JSON: /, { line: 1, column: 2 }],
    ['{\n  "a": 1,\n}', /^has a body that is not valid JSON: /, { line: 3, column: 1 }],
    ['hello', /^has a body that is not valid JSON: .*Unexpected token/, {}],
    ['[]', 'must have a JSON object as its body, not a list.', {}],
    ['null', 'must have a JSON object as its body.', {}],
    ['"x"', 'must have a JSON object as its body, not text.', {}],
    ['1', 'must have a JSON object as its body, not a number.', {}],
    [`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, /nested too deeply/, {}],
    [`${'['.repeat(500_000)}`, /^has a body that is not valid JSON: /, {}],
    [`{"a":${'['.repeat(250_000)}${']'.repeat(250_000)}}`, /nested too deeply/, {}],
  ])('%.20j is refused with its position', async (text, message, place) => {
    const { status, body } = await rest.ask('PUT', PUT, { text, headers: type });
    expect([status, body['code']]).toEqual([400, 'invalid']);
    const [issue] = body['issues'] as { path: string; message: string }[];
    expect(issue).toMatchObject({ path: '', ...place });
    if (typeof message === 'string') expect(issue?.message).toBe(message);
    else expect(issue?.message).toMatch(message);
  });

  it('must be UTF-8', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const answer = await rest.raw(
      head(`PUT ${PUT}`, 'Content-Type: application/json', `Content-Length: ${bytes.length}`),
      bytes,
    );
    expect([statusOf(answer), bodyOf(answer).issues]).toEqual([
      400,
      [{ path: '', message: 'has a body that is not valid UTF-8.' }],
    ]);
  });

  it('may not reach the prototype of objects', async () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const put = await rest.ask('PUT', PUT, { text, headers: type });
    const chat = await rest.ask('POST', CHATS, { text, headers: type });
    expect([put.status, chat.status]).toEqual([400, 400]);
    const issues = chat.body['issues'] as { path: string }[];
    expect(issues.map((issue) => issue.path).sort()).toEqual([
      '__proto__',
      'constructor',
      'prompt',
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('more fields than any operation has are refused in one sentence', async () => {
    const json = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 1]));
    const { status, body } = await rest.ask('POST', '/api/projects', { json });
    const issues = [{ path: '', message: 'must have at most 50 fields.' }];
    expect([status, body['issues']]).toEqual([400, issues]);
  });

  it('a body field that belongs to the path is refused, in addition to missing fields', async () => {
    const { status, body } = await rest.ask('POST', CHATS, { json: { project: 'beta' } });
    const issues = body['issues'] as { path: string; message: string }[];
    expect([status, new Map(issues.map(({ path, message }) => [path, message]))]).toEqual([
      400,
      new Map([
        ['project', 'is not a known field.'],
        ['prompt', 'is required.'],
      ]),
    ]);
    expect(rest.ops.calls).toEqual([]);
  });

  it.each([
    ['POST', CHATS, { prompt: 1 }, 'prompt', 'must be a string.'],
    ['POST', CHATS, { prompt: '' }, 'prompt', 'must not be empty.'],
    ['POST', CHATS, { prompt: 'x', nme: 'y' }, 'nme', 'is not a known field.'],
    ['POST', CHATS, { prompt: 'x', model: 'm'.repeat(201) }, 'model', /at most 200 characters/],
    ['POST', `${CHATS}/${SESSION_ID}/messages`, {}, 'prompt', 'is required.'],
    ['POST', `${CHATS}/${SESSION_ID}/fork`, { prompt: null }, 'prompt', /must be a string/],
    ['POST', '/api/projects', {}, 'name', 'is required.'],
    ['POST', '/api/projects', { name: 'x', status: 'odd' }, 'status', /^must be one of/],
  ])('%s %s %j names the field', async (method, path, json, field, message) => {
    const { status, body } = await rest.ask(method, path, { json });
    expect([status, body['code']]).toEqual([400, 'invalid']);
    const [issue] = body['issues'] as { path: string; message: string }[];
    expect(issue?.path).toBe(field);
    if (typeof message === 'string') expect(issue?.message).toBe(message);
    else expect(issue?.message).toMatch(message);
    expect(rest.ops.calls).toEqual([]);
  });
});

it('a body that an earlier parser has read gets a response at once', async () => {
  const logger = createMemoryLogger();
  const clock = createFakeClock();
  const { operations } = createFakeOps();
  const deps = { operations, callerOf: personCaller, auth: authOf(clock), logger, clock };
  const app = express();
  app.use(express.json(), createRestSurface(deps, { version: '1' }).handler);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${PUT}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'internal' }]);
  expect(logger.lines.find((line) => line.level === 'error')?.fields['error']).toMatch(
    /mount this handler before body parsers/,
  );
});
