import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asks, createToolset, post, rpc, type Served, serve, TOKENS, until } from './fixture.ts';
import { ask, talk } from './wire.ts';

const LIST = rpc('tools/list');
const CHUNKED = { 'Transfer-Encoding': 'chunked', 'Content-Length': null };

function chunked(...pieces: string[]): string {
  return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
}

// Two levels more than the number of lists.
const nested = (lists: number): string =>
  `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(lists)}${']'.repeat(lists)}}}`;

describe('bodies', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ options: { maxBodyBytes: 100_000 } });
  });
  afterAll(() => served.close());

  it('are requested only after the client is admitted, if it waits for that', async () => {
    const body = JSON.stringify(LIST);
    const head = (token: string | null, accept = 'application/json, text/event-stream') =>
      post('', {
        token,
        headers: { Accept: accept, 'Content-Length': `${body.length}`, Expect: '100-continue' },
      });
    expect(await ask(served.port, head(null))).toMatchObject({ status: 401 });
    expect(await ask(served.port, head(TOKENS.ada, '*/*'))).toMatchObject({ status: 406 });
    const one = talk(served.port);
    one.send(head(TOKENS.ada));
    expect(await one.answer()).toMatchObject({ head: 'HTTP/1.1 100 Continue' });
    one.send(body);
    expect(await one.answer()).toMatchObject({ status: 200 });
    one.end();
  });

  // proves: endpoint.request-body
  it.each<[string, string | Uint8Array, number, number, string | number | null]>([
    ['nothing', '', 400, -32700, null],
    ['half an object', '{"id":1', 400, -32700, null],
    ['two objects', '{}{}', 400, -32700, null],
    ['a byte order mark', '\uFEFF{}', 400, -32700, null],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, -32700, null],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 400, -32700, null],
    ['an empty batch', '[]', 400, -32600, null],
    ['a batch', JSON.stringify([LIST]), 400, -32600, null],
    ['a number', '1', 400, -32600, null],
    ['null', 'null', 400, -32600, null],
    ['an empty object', '{}', 400, -32600, null],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 400, -32600, 7],
    ['no version', '{"id":"x","method":"ping"}', 400, -32600, 'x'],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600, null],
    ['an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600, null],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600, null],
    [
      'an id beyond all integers',
      '{"jsonrpc":"2.0","id":1e300,"method":"ping"}',
      400,
      -32600,
      null,
    ],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":1}', 400, -32600, 1],
    [
      'params that are a list',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
      400,
      -32600,
      1,
    ],
    [
      'params that are null',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}',
      400,
      -32600,
      1,
    ],
    ['an unknown field', '{"jsonrpc":"2.0","id":1,"method":"ping","x":1}', 400, -32600, 1],
    ['a prototype', '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}', 400, -32600, 1],
    ['neither method nor result', '{"jsonrpc":"2.0","id":1}', 400, -32600, 1],
    ['result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', 400, -32600, 1],
    ['a result without an id', '{"jsonrpc":"2.0","result":{}}', 400, -32600, null],
    ['a result that is text', '{"jsonrpc":"2.0","id":1,"result":""}', 400, -32600, 1],
    ['an error without a code', '{"jsonrpc":"2.0","id":1,"error":{"message":""}}', 400, -32600, 1],
    ['_meta that is text', JSON.stringify(rpc('ping', { _meta: '' })), 400, -32600, 1],
    [
      'a progress token that is an object',
      JSON.stringify(rpc('ping', { _meta: { progressToken: {} } })),
      400,
      -32600,
      1,
    ],
    [
      'a related task without an id',
      JSON.stringify(rpc('ping', { _meta: { 'io.modelcontextprotocol/related-task': {} } })),
      400,
      -32600,
      1,
    ],
    ['nesting without end', '['.repeat(90_000), 400, -32700, null],
    ['65 levels', nested(63), 400, -32600, 1],
    ['arguments nested tens of thousands deep', nested(40_000), 400, -32600, 1],
  ])('%s is refused', async (_name, body, status, code, id) => {
    const answer = await ask(served.port, post(body));
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/^Content-Type: application\/json$/m);
    expect(JSON.parse(answer.body)).toEqual({
      jsonrpc: '2.0',
      error: { code, message: expect.any(String) },
      id,
    });
  });

  it.each<[string, object]>([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'anything', params: { x: 1 } }],
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }],
    ['an error without an id', { jsonrpc: '2.0', error: { code: 1, message: 'no' } }],
  ])('%s is accepted without a response', async (_name, message) => {
    const answer = await ask(served.port, post(message));
    expect(answer).toEqual({
      status: 202,
      head: [
        'HTTP/1.1 202 Accepted',
        'Content-Length: 0',
        'Date: *',
        'Connection: keep-alive',
        'Keep-Alive: timeout=5',
      ].join('\r\n'),
      body: '',
    });
  });

  it('a body may arrive in pieces', async () => {
    const one = talk(served.port);
    const text = JSON.stringify(rpc('tools/call', { name: 'echo', arguments: { text: 'ü–😀' } }));
    const bytes = post(text);
    for (const byte of bytes) one.send(Buffer.from([byte]));
    expect((await one.answer()).body).toContain('ü–😀');
    one.end();
  });

  it('a chunked body is read, and the connection stays usable', async () => {
    const one = talk(served.port);
    const text = JSON.stringify(LIST);
    const request = post('', { headers: CHUNKED }) + chunked(text.slice(0, 9), text.slice(9));
    expect((await asks(one, Buffer.from(request))).status).toBe(200);
    expect((await asks(one, Buffer.from(request))).status).toBe(200);
    one.end();
  });

  it('a chunked body over the limit is refused while it is read', async () => {
    const one = talk(served.port);
    one.send(post('', { headers: CHUNKED }));
    one.send(`20000\r\n${'x'.repeat(0x20000)}\r\n`);
    const answer = await one.answer();
    expect(answer.status).toBe(413);
    expect(answer.head).toMatch(/^Connection: close$/m);
    one.send('0\r\n\r\n');
    await one.closed;
  });

  it('a client that sends everything before it reads receives the refusal of a large body', async () => {
    const one = talk(served.port);
    one.socket.pause();
    one.send(post('x'.repeat(900_000)));
    await new Promise((resolve) => one.socket.once('drain', resolve));
    one.socket.resume();
    expect((await one.answer()).status).toBe(413);
    await one.closed;
  });

  it.each<[string, Record<string, string | null>]>([
    ['of known length', { 'Content-Length': '1000000000' }],
    ['in chunks', CHUNKED],
  ])('an endless upload %s is cut off, with or without a token', async (_name, headers) => {
    for (const token of [null, undefined]) {
      const one = talk(served.port);
      one.send(post('', { headers, ...(token === null ? { token } : {}) }));
      let sent = 0;
      const piece = 'x'.repeat(0x10000);
      const chunk = headers === CHUNKED ? `10000\r\n${piece}\r\n` : piece;
      const pump = (): void => {
        let more = one.socket.writable;
        while (more && sent < 200_000_000) {
          sent += piece.length;
          more = one.socket.write(chunk);
        }
      };
      one.socket.on('drain', pump);
      pump();
      expect((await one.answer()).status).toBe(token === null ? 401 : 413);
      await one.closed;
      expect(sent).toBeLessThan(50_000_000);
    }
  });

  it('small unread bodies leave the connection usable', async () => {
    const one = talk(served.port);
    const body = 'x'.repeat(20_000);
    for (let round = 0; round < 3; round += 1) {
      expect((await asks(one, post(body, { token: null }))).status).toBe(401);
      expect((await asks(one, post(body, { method: 'PUT' }))).status).toBe(405);
      const pieces = post('', { token: null, headers: CHUNKED }) + chunked(body, body);
      expect((await asks(one, Buffer.from(pieces))).status).toBe(401);
      expect((await asks(one, post(body, { path: '/mcp/x' }))).status).toBe(404);
      expect((await asks(one, post(LIST))).status).toBe(200);
    }
    one.end();
  });

  it('pipelined requests are answered in order', async () => {
    const one = talk(served.port);
    one.send(
      Buffer.concat([
        post(rpc('tools/call', { name: 'echo' }, 1)),
        post('{'),
        post(LIST, { token: null }),
        post(rpc('ping', {}, 4)),
      ]),
    );
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await one.answer()).status);
    expect(statuses).toEqual([200, 400, 401, 200]);
    one.end();
  });

  it('a client that disconnects mid-body leaves nothing behind', async () => {
    const toolset = createToolset();
    const fresh = await serve({ toolset });
    for (let n = 0; n < 50; n += 1) {
      const one = talk(fresh.port);
      const bytes = post(rpc('tools/call', { name: 'echo' }));
      one.send(bytes.subarray(0, bytes.length - 5));
      await new Promise((resolve) => setImmediate(resolve));
      one.end();
    }
    await until(async () => (await fresh.connections()) === 0);
    expect(toolset.calls).toEqual([]);
    expect((await ask(fresh.port, post(LIST))).status).toBe(200);
    expect(fresh.logger.lines).toEqual([]);
    await fresh.close();
  });
});
