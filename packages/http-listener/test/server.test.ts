import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createSystemClock } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { createConnectionCounter } from '../src/connection-counter.ts';
import {
  type CloseReason,
  createCloseRecorder,
  HTTP_LIMITS,
  type HttpLimits,
  type LimitedServer,
  openServer,
} from '../src/index.ts';
import { openWire, until } from './wire.ts';

jest.setTimeout(30_000);

describe('connection slots', () => {
  const places = () =>
    createConnectionCounter({ connections: 10, loopbackReserve: 3, connectionsPerAddress: 4 });
  const take = (count: number, address: string, from: ReturnType<typeof places>) =>
    Array.from({ length: count }, () => from.add(address));

  it('are limited for one address', () => {
    const some = places();
    expect(take(6, '10.0.0.1', some)).toEqual([null, null, null, null, 'address', 'address']);
    expect(take(2, '10.0.0.2', some)).toEqual([null, null]);
    some.remove('10.0.0.1');
    expect(take(2, '10.0.0.1', some)).toEqual([null, 'address']);
    expect(some.count).toBe(6);
  });

  it('are limited in total, with the last ones reserved for this machine', () => {
    const some = places();
    for (const address of ['10.0.0.1', '10.0.0.2']) take(4, address, some);
    expect(some.count).toBe(7);
    expect(take(1, '10.0.0.3', some)).toEqual(['total']);
    expect(take(1, '::1', some)).toEqual([null]);
    expect(take(2, '::ffff:127.0.0.1', some)).toEqual([null, null]);
    expect(take(1, '127.0.0.1', some)).toEqual(['total']);
    some.remove('10.0.0.2');
    expect(take(1, '10.0.0.3', some)).toEqual(['total']);
    expect(take(1, '127.0.0.1', some)).toEqual([null]);
  });
});

it('all closed connections are counted, and logged in one line a minute', async () => {
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const counted: CloseReason[] = [];
  const note = createCloseRecorder({ clock, logger }, (reason) => counted.push(reason));
  for (let n = 0; n < 5; n += 1) note('address', '10.0.0.1');
  note('requests', '10.0.0.2');
  await clock.advance(60_000);
  note('address', '10.0.0.3');
  expect(counted).toHaveLength(7);
  expect(logger.lines.map(({ level, fields }) => [level, fields])).toEqual([
    ['warn', { address: '10.0.0.1', times: 1 }],
    ['warn', { address: '10.0.0.2', times: 1 }],
    ['warn', { address: '10.0.0.3', times: 5 }],
  ]);
});

describe('a server', () => {
  let server: LimitedServer;
  afterEach(() => server.close(0));

  const start = async (limits: Partial<HttpLimits>) => {
    let beats = 0;
    const asked: string[] = [];
    server = await openServer(
      {
        clock: createSystemClock(),
        onClosed: () => {},
        limits: { ...HTTP_LIMITS, ...limits },
      },
      { host: '127.0.0.1', port: 0, tls: null },
      {
        request(request, response) {
          asked.push(request.url ?? '');
          if (request.url !== '/stream') {
            request.resume().on('end', () => response.end('done'));
            return;
          }
          response.writeHead(200, { 'Content-Type': 'text/event-stream' });
          const timer = setInterval(() => {
            beats += 1;
            response.write(`: ${beats}\n\n`);
          }, 20);
          response.on('close', () => clearInterval(timer));
        },
        checkContinue: (_request, response) => void response.end(),
      },
    );
    return { beats: () => beats, asked };
  };

  it('closes connections that are silent, slow or idle, and never a stream', async () => {
    const { beats } = await start({
      headersTimeoutMs: 300,
      requestTimeoutMs: 600,
      keepAliveTimeoutMs: 200,
    });
    const stream = openWire(server.url);
    let cut = false;
    void stream.closed.then(() => {
      cut = true;
    });
    stream.send('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    const silent = openWire(server.url);
    const head = openWire(server.url);
    head.send('GET / HTTP/1.1\r\nHost:');
    const body = openWire(server.url);
    body.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf');
    const idle = openWire(server.url);
    idle.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await idle.answer()).toMatchObject({ status: 200, body: 'done' });
    await idle.closed;
    for (const slow of [silent, head, body])
      expect(await slow.closed).toMatch(/^(HTTP\/1.1 408 |$)/);
    const mark = beats();
    await until(async () => beats() > mark + 10);
    expect(cut).toBe(false);
    expect(server.connections).toBe(1);
  });

  it('accepts at most as many connections as there are slots', async () => {
    await start({ connections: 3, loopbackReserve: 0 });
    const wires = Array.from({ length: 3 }, () => openWire(server.url));
    await until(async () => server.connections === 3);
    await openWire(server.url).closed;
    expect(server.isListening).toBe(true);
    for (const wire of wires) {
      wire.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      expect((await wire.answer()).status).toBe(200);
      wire.end();
    }
    await until(async () => server.connections === 0);
    const last = openWire(server.url);
    last.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await last.answer()).status).toBe(200);
    last.end();
  });

  it('serves every client while requests wait', async () => {
    const { asked } = await start({});
    const wires = Array.from({ length: 30 }, () => openWire(server.url));
    const probe = openWire(server.url);
    await until(async () => server.connections === 31);
    for (const wire of wires) wire.send('GET /many HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(32));
    probe.send('GET /probe HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(async () => asked.length === 30 * 32 + 1);
    expect(asked.indexOf('/probe')).toBeLessThan(480);
    for (const wire of [...wires, probe]) wire.end();
  });

  it('that closes waits for pending answers, and not for endless streams', async () => {
    await start({ lingerMs: 50 });
    const wire = openWire(server.url);
    wire.send('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(async () => server.connections === 1);
    await server.close(300);
    await wire.closed;
    expect(server.isListening).toBe(false);
    const { port } = new URL(server.url);
    const refused = connect(Number(port), '127.0.0.1');
    await expect(new Promise((_, reject) => refused.once('error', reject))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

// proves: http.time-limits
it('closes a connection at most half a second after its time limit', async () => {
  const limits = { ...HTTP_LIMITS, headersTimeoutMs: 1500, requestTimeoutMs: 1500 };
  const deps = { clock: createSystemClock(), onClosed: () => {}, limits };
  const answer = { request: () => {}, checkContinue: () => {} };
  const server = await openServer(deps, { host: '127.0.0.1', port: 0, tls: null }, answer);
  const from = performance.now();
  const wires = ['GET / HTTP/1.1\r\n', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx'];
  const closed = wires.map((text) => {
    const wire = openWire(server.url);
    wire.send(text);
    return wire.closed;
  });
  await Promise.all(closed);
  const took = performance.now() - from;
  await server.close(0);
  expect(took).toBeGreaterThan(1400);
  expect(took).toBeLessThan(2500);
});

it('the limits of the service match docs/hosting.md', () => {
  const guide = readFileSync(new URL('../../../docs/hosting.md', import.meta.url), 'utf8');
  const { connections, loopbackReserve, connectionsPerAddress } = HTTP_LIMITS;
  const { queuedRequests, queuedBytes, headBytes, headerLines } = HTTP_LIMITS;
  const { headersTimeoutMs, requestTimeoutMs, handshakeTimeoutMs, keepAliveTimeoutMs } =
    HTTP_LIMITS;
  const seconds = (ms: number): string => `${ms / 1000} s`;
  const rows: [string, string][] = [
    ['connections', `${connections}, of which ${loopbackReserve} are reserved for this machine`],
    ['connections from one address', String(connectionsPerAddress)],
    ['unanswered requests on one connection', String(queuedRequests)],
    ['bytes of waiting requests', `${queuedBytes / 1024} KiB`],
    ['request head', `${headBytes / 1024} KiB, ${headerLines} lines`],
    ['time for a request head', seconds(headersTimeoutMs)],
    ['time for a whole request', seconds(requestTimeoutMs)],
    ['time for a TLS handshake', seconds(handshakeTimeoutMs)],
    ['idle connection', seconds(keepAliveTimeoutMs)],
  ];
  const cells = guide.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  for (const [name, value] of rows) {
    expect([name, cells.find((row) => row[1] === name)?.[2]]).toEqual([name, value]);
  }
});
