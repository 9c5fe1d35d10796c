import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { type Server as NetServer, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFakeClock, type FakeClock } from '@svc/core/testing';
import { createProxy, type NetworkProxy } from '../src/index.ts';
import { acceptor, createWorld, listen, readAll, readSome, type World } from './network-world.ts';

const ALLOWED = ['a.example', 'dead.example', 'loop.example', '*.sub.example'];
const LARGE = 8 * 1024 * 1024;

interface Seen {
  readonly line: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

let seen: Seen[];
let web: Server;
let front: NetServer;
let proxy: NetworkProxy;
let world: World;
let clock: FakeClock;
let frontPort: number;
let clients: Socket[];

beforeEach(async () => {
  seen = [];
  clients = [];
  web = createHttpServer((request, response) => {
    void serve(request).then((body) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.setHeader('X-Hop', 'secret');
      response.setHeader('Connection', request.url === '/inner' ? 'close' : 'X-Hop');
      if (request.url === '/large') response.end(Buffer.alloc(LARGE, 'x'));
      else if (request.url === '/cut') response.write('part', () => response.socket?.destroy());
      else response.end(`you sent ${body.length}`);
    });
  });
  web.on('upgrade', (request: IncomingMessage, socket) => {
    note(request, '');
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 Yes\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nready');
    socket.pipe(socket);
  });
  clock = createFakeClock();
  world = createWorld(ALLOWED, await listen(web), clock);
  proxy = createProxy({ outbound: world.outbound, clock });
  front = acceptor(proxy.accept);
  frontPort = await listen(front);
});
afterEach(() => {
  proxy.close();
  for (const client of clients) client.destroy();
  front.close();
  web.closeAllConnections();
  web.close();
});

async function serve(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  note(request, body);
  return body;
}

function note({ method, url, rawHeaders }: IncomingMessage, body: string): void {
  seen.push({ line: `${method} ${url}`, rawHeaders, body });
}

function client(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = new Socket({ allowHalfOpen: true });
    socket.on('error', () => {});
    clients.push(socket);
    socket.connect(frontPort, '127.0.0.1', () => resolve(socket));
  });
}

/** Sends a request without ending, and returns everything until the proxy closes. */
async function exchange(...lines: string[]): Promise<string> {
  const socket = await client();
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  return readAll(socket);
}

const get = (url: string, ...headers: string[]) =>
  exchange(`GET ${url} HTTP/1.1`, 'Host: ignored.example', 'Connection: close', ...headers);
const valuesOf = (name: string) =>
  seen[0]?.rawHeaders.filter(
    (_value, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === name,
  );

describe('an HTTP request', () => {
  it('reaches the host of its address, without the headers of this hop', async () => {
    const answer = await get(
      'http://A.example/path?q=1#part',
      'Proxy-Authorization: Basic x',
      'Proxy-Connection: keep-alive',
      'Connection: X-Mine',
      'X-Mine: secret',
      'X-Kept: 1',
      'X-Kept: 2',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n/);
    expect(answer).not.toContain('X-Hop');
    expect(seen[0]?.line).toBe('GET /path?q=1');
    expect(valuesOf('host')).toEqual(['A.example']);
    expect(valuesOf('x-kept')).toEqual(['1', '2']);
    expect(valuesOf('x-mine')).toEqual([]);
    expect(valuesOf('proxy-authorization')).toEqual([]);
    expect(world.lookups).toEqual(['a.example']);
    expect(world.connects).toEqual(['93.184.215.14 80']);
  });

  it('passes a body on, with a length or in chunks', async () => {
    const head = (length: string) => [
      'POST http://a.example:8080 HTTP/1.1',
      'Host: a.example',
      'Connection: close',
      length,
    ];
    expect(await exchange(...head('Content-Length: 9'), '', 'hello')).toContain('you sent 9');
    expect(await exchange(...head('Transfer-Encoding: chunked'), '', '5', 'hello', '0')).toContain(
      'you sent 5',
    );
    expect(seen.map(({ line, body }) => [line, body.trim()])).toEqual([
      ['POST /', 'hello'],
      ['POST /', 'hello'],
    ]);
    expect(world.connects).toEqual(['93.184.215.14 8080', '93.184.215.14 8080']);
  });

  it('keeps the connection of the client for requests to several hosts', async () => {
    const socket = await client();
    const send = (host: string) =>
      socket.write(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    send('a.example');
    send('b.example');
    socket.write('GET http://a.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const answers = await readAll(socket);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(
      ['200', '403', '200'].map((s) => `HTTP/1.1 ${s}`),
    );
  });

  it('may be sent before the response to an earlier one, but not many of them', async () => {
    const socket = await client();
    const one = 'GET http://b.example/ HTTP/1.1\r\nHost: b\r\n\r\n';
    socket.write(one.repeat(32));
    await readSome(socket, 32 * 100);
    expect(socket.destroyed).toBe(false);
    const many = await client();
    many.write('GET http://a.example/ HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(33));
    expect(await readAll(many)).toBe('');
  });

  it.each([
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an upgrade', 'GET http://a.example/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['invalid bytes', '\u0000'],
  ])('ends the connection if %s follows before its response', async (_what, next) => {
    const socket = await client();
    socket.write(`GET http://a.example/ HTTP/1.1\r\nHost: a\r\n\r\n${next}`);
    expect(await readAll(socket)).toBe('');
  });

  it('has a large response in full', async () => {
    const answer = await get('http://a.example/large');
    expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(LARGE);
  });

  it('is cut when its response is cut', async () => {
    expect(await get('http://a.example/cut')).not.toContain('\r\n0\r\n');
  });

  it.each([
    [
      'http://b.example/',
      'b.example:80 is not an allowed host. Add b.example:80 to the allowed hosts.',
    ],
    ['http://127.0.0.1/', '127.0.0.1:80 is not a public address.'],
    ['http://[::1]/', '[::1]:80 is not a public address.'],
    [
      'http://loop.example/',
      'loop.example resolves to 127.0.0.1, which is not a public address. Connect to 127.0.0.1 itself',
    ],
    ['http://sub.example/', 'sub.example:80 is not an allowed host.'],
  ])('for %s is refused with 403 and the reason', async (url, reason) => {
    const answer = await get(url, 'X: y');
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer.split('\r\n\r\n')[1]).toContain(reason);
    expect(answer.endsWith('\n') && answer.split('\r\n\r\n')[1]?.trim()).not.toContain('\n');
    expect(seen).toEqual([]);
  });

  it.each(['http://dead.example/', 'http://x.sub.example/'])(
    'for %s, which cannot be reached, fails with 502',
    async (url) => {
      expect(await get(url)).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    },
  );

  it.each([
    '/path',
    '*',
    'http://me@a.example/',
    'http://me:secret@a.example/',
    'http://a.example@b.example/',
    'http://a%2eexample/',
    'http://%61.example/',
    'http://a.example%00.b.example/',
    'http://a.example\\@b.example/',
    'http://b.example\\.a.example/',
    'http://a.example:0/',
    'http://a.example:99999/',
    'http:///path',
    'https://a.example/',
    'ftp://a.example/',
  ])('for %s is invalid', async (url) => {
    const verb = url === '*' ? 'OPTIONS' : 'GET';
    const answer = await exchange(
      `${verb} ${url} HTTP/1.1`,
      'Host: a.example',
      'Connection: close',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect([...seen, ...world.lookups, ...world.connects]).toEqual([]);
  });

  it.each([
    ['\u0016\u0003\u0001\u0002\u0000\u0001'],
    ['GET'],
    ['GET http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked'],
  ])('that is not valid HTTP is answered with 400: %j', async (text) => {
    expect(await exchange(text)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});

describe('an upgrade', () => {
  it('joins the client and the host', async () => {
    const socket = await client();
    socket.write(
      'GET http://a.example/ws HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nearly',
    );
    const text = (await readSome(socket, 66)).toString();
    expect(text).toMatch(/^HTTP\/1\.1 101 Yes\r\n/);
    socket.end(' late');
    expect(text + (await readAll(socket))).toMatch(/\r\n\r\nreadyearly late$/);
    expect(valuesOf('upgrade')).toEqual(['echo']);
  });

  it('has the response of a host that does not upgrade', async () => {
    web.removeAllListeners('upgrade');
    const answer = await get('http://a.example/', 'Connection: Upgrade', 'Upgrade: h2c');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/you sent 0$/);
  });

  it.each([
    ['http://b.example/', '403'],
    ['http://dead.example/', '502'],
    ['/', '400'],
  ])('of %s is answered with %s', async (url, status) => {
    const answer = await exchange(
      `GET ${url} HTTP/1.1`,
      'Host: a.example',
      'Connection: Upgrade',
      'Upgrade: echo',
    );
    expect(answer.slice(9, 12)).toBe(status);
  });

  it('must not have a body', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 3', '', 'abc'];
    expect(await get('http://a.example/', ...upgrade)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('CONNECT', () => {
  it('joins the client and the host of its target, whatever the Host header says', async () => {
    const inner = 'GET /inner HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await exchange(
      'CONNECT a.example:443 HTTP/1.1',
      'Host: b.example:443',
      '',
      inner,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(world.lookups).toEqual(['a.example']);
    expect(world.connects).toEqual(['93.184.215.14 443']);
  });

  it('passes on what was sent with the request, in order', async () => {
    const body = Array.from({ length: 4000 }, (_, index) => `${index} `).join('');
    const answer = await exchange(
      'CONNECT a.example:443 HTTP/1.1',
      'Host: a',
      '',
      `POST /inner HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toContain(`you sent ${body.length}`);
    expect(seen[0]?.body).toBe(body);
  });

  it('is refused by its target although the Host header is allowed', async () => {
    const answer = await exchange('CONNECT b.example:443 HTTP/1.1', 'Host: a.example:443');
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer).toMatch(/\nb\.example:443 is not an allowed host\. Add b\.example:443 .*\n$/);
    expect(world.lookups).toEqual([]);
    expect(world.outbound.record().refused).toMatchObject([{ host: 'b.example', port: 443 }]);
  });

  it.each([
    ['127.0.0.1:80', 403],
    ['[::ffff:127.0.0.1]:80', 403],
    ['0x7f000001:80', 403],
    ['dead.example:443', 502],
    ['a.example', 400],
    ['me@a.example:443', 400],
    ['%61.example:443', 400],
    ['a.example:443/path', 400],
    ['[a.example]:443', 400],
    ['::1:443', 400],
    [':443', 400],
  ])('to %s is answered with %i', async (target, status) => {
    const answer = await exchange(`CONNECT ${target} HTTP/1.1`, 'Host: a.example:443');
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(seen).toEqual([]);
  });
});

describe('a proxy', () => {
  it('closes a client without a complete request head after 30 s', async () => {
    const socket = await client();
    socket.write('GET http://a.example/ HTTP/1.1\r\n');
    const rest = readAll(socket);
    await until(() => clock.pending === 1);
    await clock.advance(30_000);
    expect(await rest).toBe('');
  });

  it('does not limit the time of a tunnel', async () => {
    const socket = await client();
    socket.write('CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    await readSome(socket, 30);
    expect(clock.pending).toBe(0);
  });

  it('limits the time to the next request', async () => {
    const socket = await client();
    socket.write('GET http://a.example/ HTTP/1.1\r\nHost: a\r\n\r\n');
    await readSome(socket, 30);
    await until(() => clock.pending === 1);
    const rest = readAll(socket);
    await clock.advance(30_000);
    expect(await rest).toBeDefined();
  });

  it('destroys the 257th client', async () => {
    const all = await Promise.all(Array.from({ length: 256 }, client));
    await until(() => clock.pending === 256);
    expect(await readAll(await client())).toBe('');
    expect(all.every((socket) => !socket.destroyed)).toBe(true);
  });

  it('destroys everything when it is closed, and serves no later client', async () => {
    const [idle, tunnel] = [await client(), await client()];
    tunnel.write('CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    await readSome(tunnel, 30);
    const ends = [readAll(idle), readAll(tunnel)];
    proxy.close();
    await Promise.allSettled(ends);
    await until(() => idle.readableEnded && tunnel.readableEnded);
    expect(await readAll(await client())).toBe('');
    expect(clock.pending).toBe(0);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
