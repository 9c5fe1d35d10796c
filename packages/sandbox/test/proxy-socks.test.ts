import { createServer, type Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFakeClock, type FakeClock } from '@svc/core/testing';
import { createProxy, type NetworkProxy } from '../src/index.ts';
import { acceptor, createWorld, listen, readAll, readSome, type World } from './network-world.ts';

const GREETING = Buffer.from([5, 1, 0]);

let clock: FakeClock;
let world: World;
let proxy: NetworkProxy;
let servers: Server[];
let client: Socket;
/** Error code of connections to other.example. */
let fault: string;

beforeEach(async () => {
  clock = createFakeClock();
  // Answers after the client has ended its side.
  const host = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    void readAll(socket).then((text) => socket.end(`got ${text}`));
  });
  world = createWorld(
    [
      'a.example',
      'dead.example',
      'other.example',
      'empty.example',
      'unknown.example',
      'loop.example',
      '93.184.215.14',
      '10.0.0.7:80',
      '[2606:4700::1111]',
    ],
    await listen(host),
    clock,
    (address) =>
      address === '93.184.215.98'
        ? new Socket().destroy(Object.assign(new Error(fault), { code: fault }))
        : null,
  );
  proxy = createProxy({ outbound: world.outbound, clock });
  const front = acceptor(proxy.accept);
  servers = [host, front];
  const port = await listen(front);
  client = new Socket({ allowHalfOpen: true });
  client.on('error', () => {});
  await new Promise<void>((resolve) => client.connect(port, '127.0.0.1', resolve));
});
afterEach(() => {
  proxy.close();
  client.destroy();
  for (const server of servers) server.close();
});

function port(number: number): Buffer {
  return Buffer.from([number >> 8, number & 0xff]);
}

function domain(name: string, number: number): Buffer {
  const bytes = Buffer.from(name);
  return Buffer.concat([Buffer.from([5, 1, 0, 3, bytes.length]), bytes, port(number)]);
}

function ipv4(address: string, number: number): Buffer {
  return Buffer.from([5, 1, 0, 1, ...address.split('.').map(Number), ...port(number)]);
}

function ipv6(hex: string, number: number): Buffer {
  return Buffer.concat([Buffer.from([5, 1, 0, 4]), Buffer.from(hex, 'hex'), port(number)]);
}

describe('SOCKS5', () => {
  it.each([
    ['a name', domain('A.example', 443), '93.184.215.14 443', ['a.example']],
    ['an address as a name', domain('93.184.215.14', 443), '93.184.215.14 443', []],
    ['an IPv4 address', ipv4('93.184.215.14', 443), '93.184.215.14 443', []],
    ['a listed private address', ipv4('10.0.0.7', 80), '10.0.0.7 80', []],
    ['an IPv6 address', ipv6('26064700000000000000000000001111', 443), '2606:4700::1111 443', []],
  ])('connects to %s', async (_what, request, connect, lookups) => {
    client.end(Buffer.concat([GREETING, request, Buffer.from('hello')]));
    expect(await readAll(client)).toBe(
      `\u0005\u0000\u0005\u0000\u0000\u0001${'\u0000'.repeat(6)}got hello`,
    );
    expect(world.connects).toEqual([connect]);
    expect(world.lookups).toEqual(lookups);
  });

  it('reads a request that arrives byte by byte', async () => {
    client.setNoDelay(true);
    for (const byte of [...GREETING, ...domain('a.example', 443)]) {
      await new Promise((resolve) => client.write(Buffer.from([byte]), resolve));
    }
    expect([...(await readSome(client, 12))]).toEqual([5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    client.end('later');
    expect(await readAll(client)).toBe('got later');
  });

  it.each([
    ['a name that is not listed', domain('b.example', 443), 2],
    ['a name that resolves to loopback', domain('loop.example', 443), 2],
    ['localhost', domain('localhost', 80), 2],
    ['a name with a user', domain('me@a.example', 443), 2],
    ['an encoded name', domain('%61.example', 443), 2],
    ['a name with a NUL', domain('a.example\u0000', 443), 2],
    ['an empty name', domain('', 443), 2],
    ['port 0', domain('a.example', 0), 2],
    ['loopback', ipv4('127.0.0.1', 80), 2],
    ['the metadata address', ipv4('169.254.169.254', 80), 2],
    ['another port of a listed address', ipv4('10.0.0.7', 81), 2],
    ['IPv6 loopback', ipv6(`${'0'.repeat(31)}1`, 80), 2],
    ['a mapped address', ipv6('00000000000000000000ffff5db8d70e', 443), 2],
    ['a host that refuses the connection', domain('dead.example', 443), 5],
    ['a name that does not exist', domain('unknown.example', 443), 4],
    ['a name without addresses', domain('empty.example', 443), 4],
    ['BIND', Buffer.from([5, 2, 0, 1, 93, 184, 215, 14, 1, 187]), 7],
    ['UDP', Buffer.from([5, 3, 0, 1, 93, 184, 215, 14, 1, 187]), 7],
    ['an unknown type of address', Buffer.from([5, 1, 0, 2, 0, 0]), 8],
  ])('answers %s with a reply code', async (_what, request, code) => {
    client.write(Buffer.concat([GREETING, request]));
    const answer = Buffer.from(await readAll(client), 'latin1');
    expect([...answer]).toEqual([5, 0, 5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect(world.connects.filter((one) => !one.startsWith('93.184.215.99'))).toEqual([]);
  });

  it.each([
    ['ECONNREFUSED', 5],
    ['EHOSTUNREACH', 4],
    ['ENETUNREACH', 3],
    ['ETIMEDOUT', 6],
    ['EACCES', 1],
  ])('answers a connection that fails with %s by the reply code %i', async (code, expected) => {
    fault = code;
    client.write(Buffer.concat([GREETING, domain('other.example', 443)]));
    expect((await readAll(client)).charCodeAt(3)).toBe(expected);
  });

  it('does not authenticate', async () => {
    client.write(Buffer.from([5, 1, 2]));
    expect([...Buffer.from(await readAll(client), 'latin1')]).toEqual([5, 0xff]);
  });

  it.each([[[5, 0]], [[5, 1, 0, 4, 1, 0, 1]]])(
    'closes connections that are not valid: %j',
    async (bytes) => {
      client.end(Buffer.from(bytes));
      expect((await readAll(client)).length).toBeLessThanOrEqual(2);
      expect(world.connects).toEqual([]);
    },
  );

  it('closes a client that does not finish its request in 30 s', async () => {
    client.write(GREETING);
    await readSome(client, 2);
    const rest = readAll(client);
    await clock.advance(30_000);
    expect(await rest).toBe('');
  });
});
