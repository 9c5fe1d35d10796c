import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createProxy } from '../src/index.ts';
import { acceptor, createWorld, listen, readAll } from './network-world.ts';

const opened: (Server | Socket)[] = [];

afterEach(() => {
  for (const one of opened.splice(0)) 'close' in one ? one.close() : one.destroy();
});

/** What a client gets for a request, and what the host got, if the host sends these bytes back and closes. */
async function exchange(
  request: string,
  answer: string,
): Promise<{ readonly response: string; readonly received: string }> {
  let received = '';
  const host = createServer((socket) => {
    opened.push(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.includes('\r\n\r\n')) socket.end(Buffer.from(answer, 'latin1'));
    });
  });
  const clock = createFakeClock();
  const { outbound } = createWorld(['a.example'], await listen(host), clock);
  const proxy = createProxy({ outbound, clock });
  const front = acceptor(proxy.accept);
  const client = connect({ host: '127.0.0.1', port: await listen(front), allowHalfOpen: true });
  opened.push(host, front, client);
  const response = readAll(client);
  // Ends its side at once.
  client.end(request);
  const text = await response;
  proxy.close();
  return { response: text, received };
}

const GET = 'GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n';
const UPGRADE =
  'GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
const EMPTY = 'Content-Length: 2\r\nConnection: close\r\n\r\nok';

describe('answers of a host', () => {
  it.each(['099', '000', '001'])('with the status %s are a bad gateway', async (status) => {
    for (const request of [GET, UPGRADE]) {
      const { response } = await exchange(request, `HTTP/1.1 ${status} X\r\n${EMPTY}`);
      expect(response).toMatch(/^HTTP\/1\.1 502 /);
      expect(response).toContain(`a.example answered with the invalid status ${Number(status)}.`);
    }
  });

  it.each(['\x01', '\x7f'])('keep their status without control characters: %j', async (bad) => {
    const { response } = await exchange(GET, `HTTP/1.1 200 a${bad}b\r\n${EMPTY}`);
    expect(response).toMatch(/^HTTP\/1\.1 (?:200 ab|502 Bad Gateway)\r\n/);
  });

  it('that upgrade without being asked are a bad gateway', async () => {
    const { response } = await exchange(
      GET,
      'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nmore',
    );
    expect(response).toMatch(/^HTTP\/1\.1 502 /);
    expect(response).toContain('a.example did not answer: it closed the connection.');
  });

  it('reach a client that has ended its side', async () => {
    const { response } = await exchange(GET, `HTTP/1.1 200 OK\r\n${EMPTY}`);
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(response).toMatch(/ok$/);
  });
});

describe('the body of a request', () => {
  it('has its length, even if a header calls it a header of the connection', async () => {
    const { received } = await exchange(
      'GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: content-length\r\nContent-Length: 3\r\n\r\nabc',
      `HTTP/1.1 200 OK\r\n${EMPTY}`,
    );
    expect(received.toLowerCase()).toContain('\r\ncontent-length: 3\r\n');
  });
});

describe('an invalid body', () => {
  it.each([
    'Transfer-Encoding: xchunked\r\n\r\nabc',
    'Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\nxyz',
  ])('is answered with 400: %j', async (body) => {
    const { response } = await exchange(
      `POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\n${body}`,
      '',
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(response).toMatch(/The request is not valid HTTP\/1\.1\.\n$/);
  });
});

describe('headers', () => {
  const many = Array.from({ length: 3000 }, (_, index) => `X: ${index}\r\n`).join('');
  const count = (text: string): number => text.match(/\r\nX: \d/g)?.length ?? 0;

  it('are all passed on in both directions', async () => {
    const { response, received } = await exchange(
      GET.replace('\r\n\r\n', `\r\n${many}Last: 1\r\n\r\n`),
      `HTTP/1.1 200 OK\r\n${many}Last: 1\r\n${EMPTY}`,
    );
    expect([count(received), count(response)]).toEqual([3000, 3000]);
    expect([received, response].every((text) => text.includes('\r\nLast: 1\r\n'))).toBe(true);
  });

  it('are all passed on with an upgrade', async () => {
    const { response, received } = await exchange(
      `GET http://a.example/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n${many}\r\n`,
      `HTTP/1.1 101 OK\r\nConnection: Upgrade\r\nUpgrade: x\r\n${many}\r\n`,
    );
    expect([count(received), count(response)]).toEqual([3000, 3000]);
  });

  it('that are too large are not passed on', async () => {
    const large = `X: ${'x'.repeat(17_000)}\r\n`;
    const up = await exchange(GET.replace('\r\n\r\n', `\r\n${large}\r\n`), '');
    expect(up.response).toMatch(/^HTTP\/1\.1 431 /);
    expect(up.received).toBe('');
    const down = await exchange(GET, `HTTP/1.1 200 OK\r\n${large}${EMPTY}`);
    expect(down.response).toMatch(/^HTTP\/1\.1 502 /);
  });
});
