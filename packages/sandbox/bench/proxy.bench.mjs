// @ts-check
// Throughput and new connections per second through the proxy (CONNECT, HTTP, SOCKS5), beside a direct connection and a CONNECT
// proxy that only joins sockets of node:net. Needs a build; `node bench/proxy.bench.mjs [MiB]`. Each server has its own process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { createSystemClock } from '@svc/core';
import { createNetworkPolicy, createOutbound, createProxy, parseHostList } from '@svc/sandbox';

const HOST = '127.0.0.1';
const MIB = 1024 * 1024;
const ROUNDS = 5;
const CONNECTIONS = 500;
const AT_ONCE = 16;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** @typedef {import('node:net').Socket} Socket */
/** @typedef {(socket: Socket) => void} Accept */

const size = Number(process.argv[2] ?? 256) * MIB;
const role = process.argv[3];

/** @type {Record<string, (target: number) => import('node:net').Server>} */
const servers = {
  // A request for `/0` has a short response, others have the whole size.
  host: () =>
    createHttpServer(async (request, response) => {
      for await (const _ of request);
      if (request.method === 'POST' || request.url === '/0') return response.end('ok');
      response.setHeader('Content-Length', size);
      for (let sent = 0; sent < size; sent += CHUNK.length) {
        if (!response.write(CHUNK)) await once(response, 'drain');
      }
      return response.end();
    }),
  peer: () =>
    createServer({ allowHalfOpen: true }, (client) => {
      client.once('data', (head) => {
        const port = Number(/:(\d+) /.exec(head.toString())?.[1]);
        const upstream = connect({ host: HOST, port, allowHalfOpen: true }, () => {
          client.write('HTTP/1.1 200 OK\r\n\r\n');
          client.pipe(upstream).pipe(client);
        });
        for (const socket of [client, upstream]) {
          socket.on('error', () => {
            client.destroy();
            upstream.destroy();
          });
        }
      });
    }),
  proxy: (target) => {
    const list = parseHostList([`${HOST}:${target}`]);
    if (!list.ok) throw new Error(list.error.message);
    const outbound = createOutbound(
      { clock: createSystemClock() },
      createNetworkPolicy([list.value]),
    );
    return createServer(createProxy({ outbound }).accept);
  },
};

if (role === undefined) await measure();
else {
  const server = servers[role]?.(Number(process.argv[4]));
  server?.listen(0, HOST, () => {
    const address = server.address();
    if (typeof address === 'object') process.send?.(address?.port);
  });
  process.once('disconnect', () => process.exit());
}

/**
 * @param {string} name
 * @param {number} target
 */
async function start(name, target = 0) {
  const child = fork(new URL(import.meta.url), [String(size / MIB), name, String(target)]);
  const [port] = await once(child, 'message');
  return { child, port: Number(port) };
}

/**
 * Sends what opens a tunnel, one part after each answer.
 *
 * @param {number} port
 * @param {readonly (string | Buffer)[]} opening
 */
async function open(port, opening) {
  const socket = connect({ host: HOST, port, noDelay: true });
  await once(socket, 'connect');
  for (const part of opening) {
    socket.write(part);
    await once(socket, 'data');
  }
  return socket;
}

/**
 * Sends a request and reads its response until the end.
 *
 * @param {Socket} socket
 * @param {string} line
 * @param {number} body
 */
async function ask(socket, line, body = 0) {
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  const ended = once(socket, 'end');
  socket.write(
    `${line} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Length: ${body}\r\n\r\n`,
  );
  for (let sent = 0; sent < body; sent += CHUNK.length) {
    if (!socket.write(CHUNK)) await once(socket, 'drain');
  }
  await ended;
  return received;
}

async function measure() {
  const host = await start('host');
  const peer = await start('peer');
  const proxy = await start('proxy', host.port);
  const connectTo = [`CONNECT ${HOST}:${host.port} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`];
  const socks = [
    Buffer.from([5, 1, 0]),
    Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, host.port >> 8, host.port & 0xff]),
  ];
  const absolute = `http://${HOST}:${host.port}`;
  /** @type {Record<string, { port: number, opening: readonly (string | Buffer)[], prefix: string }>} */
  const ways = {
    direct: { port: host.port, opening: [], prefix: '' },
    'peer: node:net CONNECT': { port: peer.port, opening: connectTo, prefix: '' },
    CONNECT: { port: proxy.port, opening: connectTo, prefix: '' },
    SOCKS5: { port: proxy.port, opening: socks, prefix: '' },
    HTTP: { port: proxy.port, opening: [], prefix: absolute },
  };
  await compare('download', 'MB/s', ways, async ({ port, opening, prefix }) => {
    const start = performance.now();
    const received = await ask(await open(port, opening), `GET ${prefix}/all`);
    if (received < size) throw new Error(`received ${received} of ${size} bytes`);
    return size / 1000 / (performance.now() - start);
  });
  await compare('upload', 'MB/s', ways, async ({ port, opening, prefix }) => {
    const start = performance.now();
    await ask(await open(port, opening), `POST ${prefix}/`, size);
    return size / 1000 / (performance.now() - start);
  });
  await compare('new connections', 'requests/s', ways, async ({ port, opening, prefix }) => {
    const start = performance.now();
    let left = CONNECTIONS;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await ask(await open(port, opening), `GET ${prefix}/0`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return CONNECTIONS / ((performance.now() - start) / 1000);
  });
  for (const { child } of [host, peer, proxy]) child.disconnect();
}

/**
 * Prints medians, and their ratios to the direct connection and the peer.
 *
 * @template T
 * @param {string} what
 * @param {string} unit
 * @param {Record<string, T>} ways
 * @param {(way: T) => Promise<number>} run
 */
async function compare(what, unit, ways, run) {
  /** @type {Map<string, number[]>} */
  const results = new Map(Object.keys(ways).map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const result = await run(way);
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  const median = (/** @type {string} */ name) =>
    results.get(name)?.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  for (const name of results.keys()) {
    const to = (/** @type {string} */ other) => (median(name) / median(other)).toFixed(2);
    process.stdout.write(
      `${what.padEnd(16)} ${name.padEnd(24)} ${median(name).toFixed(0).padStart(6)} ${unit}, ${to('direct')} of direct, ${to('peer: node:net CONNECT')} of the peer\n`,
    );
  }
}
