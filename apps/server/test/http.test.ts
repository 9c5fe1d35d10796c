import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type OpenHome, openHome, type Running, until, withHome } from './harness.ts';
import { exchange, openWire, requestOf, type Wire } from './wire.ts';

jest.setTimeout(40_000);

const PROJECT = `triggers:
  it:
    trigger: { type: schedule, interval: 1h }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`\\n" }
    enabled: false
`;

let home: OpenHome;
let server: Running;
beforeAll(async () => {
  home = openHome();
  home.write('svc.config.yaml', 'server: { publicHosts: [page.example] }\n');
  home.write('projects/demo/project.yaml', PROJECT);
  server = await home.serve();
});
afterAll(() => home.close());

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: nas\r\n${more}\r\n`;
const STREAM = get('/api/events');
const PROBE = get('/livez');

const metricOf = async (name: string): Promise<number> => {
  const { body } = await server.get('/metrics');
  const line = String(body)
    .split('\n')
    .find((text) => text.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1) ?? 0);
};
const closedFor = (reason: string) =>
  metricOf(`svc_http_connections_closed_total{reason="${reason}"}`);

/** What the connection has received so far, apart from the answers already read. */
function heard(wire: Wire): () => string {
  let text = '';
  wire.socket.on('data', (bytes) => (text += String(bytes)));
  return () => text;
}

const state = (wire: Wire): Promise<'closed' | 'open'> =>
  Promise.race([
    wire.closed.then(() => 'closed' as const),
    server.get('/livez').then(() => 'open' as const),
  ]);

describe('pipelined requests', () => {
  it('are answered in order, up to the limit', async () => {
    const wire = openWire(server.url);
    wire.send(Array.from({ length: 32 }, (_, n) => get(n % 2 ? '/livez' : '/nothing')).join(''));
    const statuses: number[] = [];
    for (let n = 0; n < 32; n += 1) statuses.push((await wire.answer()).status);
    expect(statuses).toEqual(Array.from({ length: 32 }, (_, n) => (n % 2 ? 200 : 404)));
    wire.end();
  });

  it('close their connection, and no other, when there is one too many', async () => {
    const before = await closedFor('requests');
    const wire = openWire(server.url);
    const text = heard(wire);
    wire.send(STREAM + PROBE.repeat(31));
    await until(async () => text().includes(': changes follow'));
    expect(await state(wire)).toBe('open');
    wire.send(PROBE);
    await wire.closed;
    expect(await closedFor('requests')).toBe(before + 1);
    const line = await until(async () =>
      server.lines.find(({ msg }) => String(msg).includes('too many pipelined requests')),
    );
    expect(line).toMatchObject({ level: 40, address: '127.0.0.1', times: 1 });
    expect((await server.get('/readyz')).status).toBe(200);
  });

  it.each([
    ['plain', ''],
    ['that wait to send a body', 'Expect: 100-continue\r\nContent-Length: 5\r\n'],
    ['with an unknown expectation', 'Expect: wonders\r\n'],
  ])('count regardless of their kind: %s', async (_, more) => {
    const before = await closedFor('requests');
    const wire = openWire(server.url);
    wire.send(
      STREAM +
        get('/livez', more)
          .replace(/$/, more.includes('100') ? 'hello' : '')
          .repeat(32),
    );
    await wire.closed;
    expect(await closedFor('requests')).toBe(before + 1);
  });

  it('close the connection when their heads exceed the total limit', async () => {
    const wire = openWire(server.url);
    const text = heard(wire);
    const long = get('/livez', `X: ${'x'.repeat(13_000)}\r\n`);
    wire.send(STREAM + long.repeat(19));
    await until(async () => text().includes(': changes follow'));
    expect(await state(wire)).toBe('open');
    wire.send(long);
    expect(await state(wire)).toBe('open');
    wire.send(long);
    await wire.closed;
  });

  it.each([
    ['announced', 'Content-Length: 10000\r\n', 'x'.repeat(10_000), 20, 28],
    ['in chunks', 'Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\n\r\n', 3, 5],
  ])('count with their bodies, when these are %s', async (_, more, body, few, many) => {
    const wire = openWire(server.url);
    const text = heard(wire);
    const long = `${get('/livez', more)}${body}`;
    wire.send(STREAM + long.repeat(few));
    await until(async () => text().includes(': changes follow'));
    expect(await state(wire)).toBe('open');
    wire.send(long.repeat(many - few));
    await wire.closed;
  });

  it('are answered with their bodies, one after the other', async () => {
    const post = requestOf({ path: '/api/projects', headers: { Host: 'nas' }, body: {} });
    const long = `${get('/livez', 'Content-Length: 60000\r\n')}${'x'.repeat(60_000)}`;
    const wire = openWire(server.url);
    wire.send(post + long.repeat(3) + post);
    for (const status of [400, 200, 200, 200, 400]) {
      expect((await wire.answer()).status).toBe(status);
    }
    wire.end();
  });

  it('wait for their turn, and do nothing when their client has disconnected', async () => {
    const before = await metricOf('svc_http_connections');
    const wire = openWire(server.url);
    const text = heard(wire);
    const run = requestOf({ path: '/api/projects/demo/triggers/it/run', headers: { Host: 'nas' } });
    wire.send(STREAM + run);
    await until(async () => text().includes(': changes follow'));
    wire.end();
    await until(async () => (await metricOf('svc_http_connections')) <= before);
    expect((await server.get('/api/projects/demo/runs')).body).toMatchObject({ runs: [] });
  });
});

describe('a request head', () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, n) => `x${n}: 1\r\n`).join('');

  it('has at most 100 lines, and is refused rather than truncated', async () => {
    expect((await exchange(server.url, get('/livez', lines(99)))).status).toBe(200);
    for (const count of [100, 150, 1500]) {
      // Headers that a proxy adds are at the end.
      const more = `${lines(count)}X-Forwarded-For: 203.0.113.9\r\n`;
      expect(await exchange(server.url, get('/api/projects', more))).toMatchObject({
        status: 431,
        body: '{"error":"The request has too many header lines: the limit is 100.","code":"invalid"}\n',
      });
    }
  });
});

// proves: http.host.one
it.each([
  ['/api/projects', 'Host: nas\r\nhost: evil.example'],
  ['/mcp', 'Host: localhost\r\nHost: localhost'],
  ['/livez', 'Host: \r\nHOST: nas'],
])('with two Host headers is refused before authentication: %s', async (path, hosts) => {
  const answer = await exchange(server.url, `GET ${path} HTTP/1.1\r\n${hosts}\r\n\r\n`);
  expect(answer).toMatchObject({
    status: 400,
    body: '{"error":"The request has more than one Host header. Send one.","code":"invalid"}\n',
  });
});

it('without a Host is refused, and counts among the waiting requests', async () => {
  const nameless = 'GET /livez HTTP/1.1\r\n\r\n';
  expect(await exchange(server.url, nameless)).toMatchObject({
    status: 400,
    head: expect.stringMatching(/^Connection: close$/m),
    body: '{"error":"The request has no Host header, which HTTP/1.1 requires.","code":"invalid"}\n',
  });
  expect((await exchange(server.url, 'GET /livez HTTP/1.0\r\n\r\n')).status).toBe(200);
  const before = await closedFor('requests');
  const wire = openWire(server.url);
  wire.send(STREAM + nameless.repeat(32));
  await wire.closed;
  expect(await closedFor('requests')).toBe(before + 1);
});

describe('connections', () => {
  it('are limited to 200 for each address, and other addresses are not affected', async () => {
    const before = await closedFor('address');
    const sockets = Array.from({ length: 220 }, () => connectTo(server.url, '127.0.0.3'));
    try {
      await until(async () => sockets.filter((socket) => socket.closed).length === 20);
      expect(await closedFor('address')).toBe(before + 20);
      expect((await server.get('/livez')).status).toBe(200);
      const warnings = () =>
        server.lines.filter(({ msg }) => /limit per address/.test(String(msg)));
      await until(async () => warnings().length > 0);
      expect(warnings()).toHaveLength(1);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await until(async () => {
      const again = connectTo(server.url, '127.0.0.3');
      await new Promise((resolve) => again.once('connect', resolve).once('close', resolve));
      again.write(PROBE);
      return new Promise<boolean>((resolve) => {
        again.once('data', () => resolve(true)).once('close', () => resolve(false));
      }).finally(() => again.destroy());
    });
  });

  it('that send nothing or half a request do not delay the shutdown', () =>
    withHome(async (own) => {
      own.write('svc.config.yaml', 'server: { drainTimeout: 10m }\n');
      const other = await own.serve();
      const body = requestOf({
        path: '/api/projects',
        body: '{"name":"x"}',
        headers: { Host: 'a' },
      });
      const halves = ['', body.slice(0, 20), body.slice(0, -3)];
      const wires = halves.map(() => openWire(other.url));
      for (const [n, half] of halves.entries()) wires[n]?.send(half);
      await until(async () =>
        /^svc_http_connections [4-9]/m.test((await other.get('/metrics')).body),
      );
      expect(await other.stop()).toBe(0);
      for (const wire of wires) await wire.closed;
    }));
});

function connectTo(url: string, localAddress: string): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress });
  socket.on('error', () => {});
  socket.resume();
  return socket;
}

describe('pages of other origins', () => {
  const post = (origin: string, more: Record<string, string> = {}) =>
    exchange(
      server.url,
      requestOf({
        path: '/api/projects/demo/triggers/it/run',
        headers: { Host: 'localhost:7420', 'Content-Type': null, Origin: origin, ...more },
      }),
    );

  it.each([
    ['http://localhost:3000', 403],
    ['http://127.0.0.1:7420', 403],
    ['https://localhost:7420', 403],
    ['null', 403],
    ['https://page.example:8443', 403],
    ['https://page.example', 202],
    ['http://localhost:7420', 202],
  ])('cannot start anything, also without a body: %s %i', async (origin, status) => {
    const answer = await post(origin);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toContain('"forbidden_origin"');
  });

  it('are compared by scheme too, which a local proxy reports', async () => {
    const proxied = { 'X-Forwarded-Proto': 'https' };
    expect((await post('https://localhost:7420', proxied)).status).toBe(202);
    expect((await post('http://localhost:7420', proxied)).status).toBe(403);
  });
});

describe('metrics', () => {
  const far = { 'X-Forwarded-For': '203.0.113.9' };
  it.each<[string, Record<string, string>, string | null]>([
    ['/metrics', { Host: 'evil.example' }, 'forbidden_host'],
    ['/metrics', far, 'auth_not_configured'],
    ['/livez', { Host: 'evil.example', ...far }, null],
    ['/readyz', { Host: 'evil.example', ...far }, null],
  ])('require API access, probes do not: %s %j', async (path, headers, code) => {
    const text = requestOf({ method: 'GET', path, headers: { Host: 'localhost', ...headers } });
    const { status, body } = await exchange(server.url, text);
    if (code === null) expect([status, body]).toEqual([200, '{"ok":true}\n']);
    else expect([status, JSON.parse(body)]).toEqual([403, { error: expect.any(String), code }]);
  });
});

it('JSON answers end with a line break', async () => {
  for (const path of ['/livez', '/readyz', '/nothing', '/api/projects', '/api/nothing']) {
    expect(await (await fetch(server.url + path)).text()).toMatch(/^\{.*\}\n$/);
  }
});

it.each([
  ['POST', '/livez'],
  ['DELETE', '/readyz'],
  ['POST', '/metrics'],
  ['PUT', '/'],
])('%s %s is 405 and lists the allowed methods', async (method, path) => {
  const answer = await fetch(server.url + path, { method });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const error = `This endpoint supports GET and HEAD, not ${method}.`;
  expect(await answer.json()).toEqual({ error, code: 'method_not_allowed' });
});
