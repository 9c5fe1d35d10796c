import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFakeClock, type FakeClock } from '@svc/core/testing';
import { createProxy, type NetworkProxy } from '../src/index.ts';
import { createCloser } from '../src/network/closing.ts';
import { acceptor, createWorld, listen, readAll, readSome } from './network-world.ts';

const LARGE = 8 * 1024 * 1024;

let clock: FakeClock;
let proxy: NetworkProxy;
let opened: (Server | Socket)[];
let accepted: Socket[];
let frontPort: number;

/** Starts a proxy whose hosts are this server. */
async function start(host: Server): Promise<void> {
  const { outbound } = createWorld(['a.example', 'dead.example'], await listen(host), clock);
  proxy = createProxy({ outbound, clock });
  const front = acceptor((socket) => {
    accepted.push(socket as Socket);
    proxy.accept(socket);
  });
  frontPort = await listen(front);
  opened.push(host, front);
}

beforeEach(() => {
  clock = createFakeClock();
  opened = [];
  accepted = [];
});
afterEach(() => {
  proxy.close();
  for (const one of opened) 'close' in one ? one.close() : one.destroy();
});

/** A client, with the code of its error if it had one. */
async function client(): Promise<{ readonly socket: Socket; readonly error: () => string }> {
  const socket = new Socket({ allowHalfOpen: true });
  opened.push(socket);
  let code = '';
  socket.on('error', (error: NodeJS.ErrnoException) => {
    code = error.code ?? error.message;
  });
  await new Promise<void>((resolve) => socket.connect(frontPort, '127.0.0.1', resolve));
  return { socket, error: () => code };
}

/** What a client reads that first sends everything and then waits until the proxy has closed its side. */
async function sendThenRead(...parts: readonly (string | Buffer)[]) {
  const { socket, error } = await client();
  socket.pause();
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  const text = await readAll(socket);
  socket.end();
  return { text, error: error() };
}

const silent = (): Server => createServer((socket) => void socket.on('error', () => {}).resume());
const BODY = Buffer.alloc(LARGE, 'x');
const post = (host: string, ...headers: string[]) =>
  [`POST http://${host}/ HTTP/1.1`, 'Host: a', `Content-Length: ${LARGE}`, ...headers, '', ''].join(
    '\r\n',
  );

describe('a refusal reaches a client that sends more than is read', () => {
  it.each([
    ['CONNECT', '403', ['CONNECT b.example:443 HTTP/1.1\r\nHost: b\r\n\r\n', BODY]],
    ['CONNECT to an invalid target', '400', ['CONNECT b HTTP/1.1\r\nHost: b\r\n\r\n', BODY]],
    ['CONNECT to a dead host', '502', ['CONNECT dead.example:1 HTTP/1.1\r\nHost: b\r\n\r\n', BODY]],
    ['a request', '403', [post('b.example', 'Connection: close'), BODY]],
    ['a request of HTTP/1.0', '403', [post('b.example').replace('HTTP/1.1', 'HTTP/1.0'), BODY]],
    ['a request to a dead host', '502', [post('dead.example', 'Connection: close'), BODY]],
    ['an upgrade', '400', [post('a.example', 'Connection: Upgrade', 'Upgrade: x'), BODY]],
    ['bytes that are not HTTP', '400', [BODY]],
    ['a head that is too large', '431', ['GET http://a.example/ HTTP/1.1\r\nX: ', BODY]],
  ])('%s', async (_what, status, parts) => {
    await start(silent());
    const { text, error } = await sendThenRead(...parts);
    expect(text.slice(9, 12)).toBe(status);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(text).toMatch(/\.\n$/);
    expect(error).toBe('');
  });

  it.each([
    ['SOCKS', [5, 0, 5, 2], [5, 1, 0, 5, 1, 0, 3, 1, 98, 0, 80]],
    ['SOCKS with a password', [5, 255], [5, 1, 2]],
    ['SOCKS BIND', [5, 0, 5, 7], [5, 1, 0, 5, 2, 0, 1]],
  ])('%s', async (_what, answer, request) => {
    await start(silent());
    const { text, error } = await sendThenRead(Buffer.from(request), BODY);
    expect([...Buffer.from(text, 'latin1')].slice(0, answer.length)).toEqual(answer);
    expect(error).toBe('');
  });
});

describe('a client that is being closed', () => {
  const refused = 'CONNECT b.example:443 HTTP/1.1\r\nHost: b\r\n\r\n';

  it('is destroyed after 10 s', async () => {
    await start(silent());
    const { socket } = await client();
    socket.write(refused);
    await readAll(socket);
    const inner = accepted[0];
    await clock.advance(9_999);
    expect(inner?.destroyed).toBe(false);
    await clock.advance(1);
    expect(inner?.destroyed).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('is destroyed when it has ended', async () => {
    await start(silent());
    const { socket } = await client();
    socket.write(refused);
    await readAll(socket);
    const closed = new Promise((resolve) => accepted[0]?.once('close', resolve));
    socket.end();
    await closed;
    expect(clock.pending).toBe(0);
  });

  it('is destroyed after 64 MiB', async () => {
    await start(silent());
    const { socket } = await client();
    socket.write(refused);
    await readAll(socket);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let sent = 0;
    const send = (error?: Error | null): void => {
      if (error) return;
      sent += BODY.length;
      socket.write(BODY, send);
    };
    send();
    await closed;
    expect(sent).toBeGreaterThan(56 * 1024 * 1024);
    expect(sent).toBeLessThan(128 * 1024 * 1024);
  });

  it('is not destroyed before its last bytes are written', async () => {
    let finish: () => void = () => {};
    const slow = new Duplex({
      read: () => {},
      write: (_chunk, _encoding, done) => {
        finish = done;
      },
    });
    createCloser(clock)(slow, Buffer.from('last'));
    await clock.advance(60_000);
    expect(slow.destroyed).toBe(false);
    finish();
    await clock.advance(10_000);
    expect(slow.destroyed).toBe(true);
  });

  it('has all of a last response that it reads late', async () => {
    const host = createHttpServer((request, response) => {
      request.resume().once('end', () => response.end(BODY));
    });
    await start(host);
    const { socket } = await client();
    socket.write('GET http://a.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nmore');
    const head = await readSome(socket, 1);
    await clock.advance(60_000);
    socket.write(Buffer.alloc(100_000));
    const text = head.toString('latin1') + (await readAll(socket));
    expect(text.length - text.indexOf('\r\n\r\n') - 4).toBe(LARGE);
  });
});

describe('an early answer of a host reaches a client that still sends', () => {
  const HEAD = 'HTTP/1.1 413 Payload Too Large\r\nContent-Length: 4\r\n';

  it.each(['Connection: close\r\n', ''])(
    'and the host closes, with the header %j',
    async (header) => {
      for (let round = 0; round < 20; round += 1) {
        const host = createServer((socket) => {
          socket.on('error', () => {});
          socket.once('data', () => socket.end(`${HEAD}${header}\r\nfull`, () => socket.destroy()));
        });
        await start(host);
        const { text, error } = await sendThenRead(post('a.example', 'Connection: close'), BODY);
        expect(text).toMatch(/^HTTP\/1\.1 413 .*full$/s);
        expect(error).toBe('');
        proxy.close();
      }
    },
  );

  it('and the host stops reading, with an answer that is larger than the buffers', async () => {
    const host = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\n\r\n');
        for (let part = 0; part < 4; part += 1) socket.write(BODY);
        socket.end('full');
      });
    });
    await start(host);
    const { text } = await sendThenRead(post('a.example', 'Connection: close'), BODY, BODY);
    expect(text.length).toBeGreaterThan(4 * LARGE);
    expect(text.slice(0, 12) + text.slice(-20)).toMatch(/^HTTP\/1\.1 413.*full\r\n0\r\n\r\n$/s);
  });

  it('and the connection of the client is kept', async () => {
    const host = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(`${HEAD}Connection: close\r\n\r\nfull`));
    });
    await start(host);
    const { socket } = await client();
    socket.write(post('a.example'));
    await new Promise((resolve) => socket.write(BODY, resolve));
    socket.write('GET http://b.example/ HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n');
    const text = await readAll(socket);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 403']);
  });

  it('and a host that answers while it reads gets the whole body', async () => {
    let received = 0;
    const host = createHttpServer((request, response) => {
      response.writeHead(200, { 'Content-Length': 4 });
      response.write('a');
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      request.once('end', () => response.end('bcd'));
    });
    await start(host);
    const { text } = await sendThenRead(post('a.example', 'Connection: close'), BODY);
    expect(text).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nabcd$/s);
    expect(received).toBe(LARGE);
  });
});
