import { createServer, type Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createNetworkPolicy, createOutbound, isPublicAddress } from '../src/index.ts';
import { createWorld, hostList, listen, readAll } from './network-world.ts';

const { signal } = new AbortController();
let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer((socket) => {
    // The tests destroy their side without reading.
    socket.on('error', () => {});
    socket.end('hello');
  });
  port = await listen(server);
});
afterEach(() => {
  server.close();
});

describe('an outbound connection', () => {
  it('is made to the address of one lookup', async () => {
    const { outbound, lookups, connects } = createWorld(['a.example:443'], port);
    const opened = await outbound.open('A.Example.', 443, signal);
    expect(opened.ok).toBe(true);
    if (opened.ok) opened.value.destroy();
    expect(lookups).toEqual(['a.example']);
    expect(connects).toEqual(['93.184.215.14 443']);
    expect(outbound.record()).toEqual({
      reached: [{ host: 'a.example', port: 443, count: 1, sent: 0, received: 0 }],
      refused: [],
    });
  });

  it.each([
    'b.example',
    'x.a.example',
    'me@a.example',
    'a%2eexample',
    'localhost',
    'a.example\u0000',
  ])('to %j is refused without a lookup', async (host) => {
    const { outbound, lookups, connects } = createWorld(['a.example'], port);
    expect(await outbound.open(host, 443, signal)).toMatchObject({
      ok: false,
      error: { kind: 'refused' },
    });
    expect(lookups).toEqual([]);
    expect(connects).toEqual([]);
    expect(outbound.record().refused).toMatchObject([{ port: 443, count: 1 }]);
  });

  it.each([
    'mixed.example',
    'loop.example',
    'loop6.example',
    'mapped.example',
    'metadata.example',
    'own.example',
  ])('to %s is refused although the name is listed', async (host) => {
    for (const entry of ['*', host]) {
      const { outbound, lookups, connects } = createWorld([entry, '10.0.0.7', '127.0.0.1'], port);
      expect(await outbound.open(host, 80, signal)).toMatchObject({
        ok: false,
        error: { kind: 'refused', reason: expect.stringContaining(`${host} resolves to`) },
      });
      expect(lookups).toEqual([host]);
      expect(connects).toEqual([]);
    }
  });

  it('is not made to a public address in a zone', () => {
    expect(isPublicAddress('2606:4700::1111')).toBe(true);
    expect(isPublicAddress('2606:4700::1111%lo')).toBe(false);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '0.0.0.0',
    '169.254.169.254',
    '10.0.0.7',
    '8.8.4.4',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:93.184.215.14',
    '64:ff9b::a00:7',
    'fd00:ec2::254',
  ])('to the address %s is not allowed by `*`', async (host) => {
    const { outbound, lookups, connects } = createWorld(['*'], port);
    expect(await outbound.open(host, 80, signal)).toMatchObject({
      ok: false,
      error: { kind: 'refused' },
    });
    expect([...lookups, ...connects]).toEqual([]);
  });

  it.each(['127.0.0.1', '8.8.4.4', '10.0.0.7'])(
    'to the address %s is made if it is listed',
    async (host) => {
      const { outbound, lookups, connects } = createWorld([`${host}:5432`], port);
      const opened = await outbound.open(host, 5432, signal);
      if (opened.ok) opened.value.destroy();
      expect(opened.ok).toBe(true);
      expect(lookups).toEqual([]);
      expect(connects).toEqual([`${host} 5432`]);
    },
  );

  it('is tried with each address in turn', async () => {
    const { outbound, connects } = createWorld(['*'], port);
    const opened = await outbound.open('two.example', 80, signal);
    if (opened.ok) opened.value.destroy();
    expect(opened.ok).toBe(true);
    expect(connects).toEqual(['93.184.215.99 80', '93.184.215.14 80']);
  });

  it.each([
    ['dead.example', /^dead\.example could not be reached: .*ECONNREFUSED/, 'ECONNREFUSED'],
    ['empty.example', /^empty\.example has no address\.$/, 'ENODATA'],
    ['unknown.example', /^unknown\.example could not be resolved: .*ENOTFOUND/, 'ENOTFOUND'],
  ])('to %s fails', async (host, reason, code) => {
    const { outbound } = createWorld(['*'], port);
    expect(await outbound.open(host, 80, signal)).toEqual({
      ok: false,
      error: { kind: 'failed', code, reason: expect.stringMatching(reason) },
    });
    expect(outbound.record()).toEqual({ reached: [], refused: [] });
  });

  it('is given up for the next address after 10 s', async () => {
    const clock = createFakeClock();
    const silent = new Socket();
    const world = createWorld(['*'], port, clock, (address) =>
      address === '93.184.215.99' ? silent : null,
    );
    const opening = world.outbound.open('two.example', 80, signal);
    await clock.advance(9_999);
    expect(world.connects).toHaveLength(1);
    await clock.advance(1);
    const opened = await opening;
    if (opened.ok) opened.value.destroy();
    expect(opened.ok).toBe(true);
    expect(silent.destroyed).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const clock = createFakeClock();
    const silent = new Socket();
    const world = createWorld(['*'], port, clock, () => silent);
    const opening = world.outbound.open('two.example', 80, stop.signal);
    await clock.settle();
    stop.abort();
    expect(await opening).toMatchObject({ ok: false, error: { kind: 'failed' } });
    expect(silent.destroyed).toBe(true);
    expect(world.connects).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('ends if its name is not resolved within 10 s', async () => {
    const clock = createFakeClock();
    const outbound = createOutbound(
      { clock, resolveHost: () => new Promise(() => {}) },
      createNetworkPolicy([hostList('*')]),
    );
    const opening = outbound.open('a.example', 80, signal);
    await clock.advance(10_000);
    expect(await opening).toEqual({
      ok: false,
      error: {
        kind: 'failed',
        code: 'ETIMEDOUT',
        reason: 'a.example could not be resolved: no answer within 10 s.',
      },
    });
  });

  it('uses the network and the tables of this machine by default', async () => {
    const clock = createFakeClock();
    const outbound = createOutbound(
      { clock },
      createNetworkPolicy([hostList(`127.0.0.1:${port}`)]),
    );
    const opened = await outbound.open('127.0.0.1', port, signal);
    expect(opened.ok).toBe(true);
    if (opened.ok) opened.value.destroy();
  });
});

describe('the record of connections', () => {
  it('is sorted, counts repetitions and has the last reason', () => {
    const { outbound } = createWorld(['*'], port);
    outbound.note('b.example', 443, null);
    outbound.note('B.example.', 443, null);
    outbound.note('b.example', 80, null);
    outbound.note('a.example', 443, null);
    outbound.note('c.example', 1, 'first');
    outbound.note('c.example', 1, 'second');
    expect(outbound.record()).toEqual({
      reached: [
        { host: 'a.example', port: 443, count: 1 },
        { host: 'b.example', port: 80, count: 1 },
        { host: 'b.example', port: 443, count: 2 },
      ],
      refused: [{ host: 'c.example', port: 1, count: 2, reason: 'second' }],
    });
  });

  it('has at most 100 hosts of each kind, and the number of further connections', () => {
    const { outbound } = createWorld(['*'], port);
    for (let index = 0; index < 100; index += 1) {
      outbound.note(`h${index}.example`, 1, null);
      outbound.note(`h${index}.example`, 1, 'no');
    }
    expect(outbound.record().more).toBeUndefined();
    for (let index = 90; index < 150; index += 1) outbound.note(`h${index}.example`, 1, 'no');
    outbound.note('h0.example', 1, null);
    outbound.note('further.example', 1, null);
    outbound.note('further.example', 1, null);
    const { reached, refused, more } = outbound.record();
    expect([reached.length, refused.length]).toEqual([100, 100]);
    expect(reached[0]).toEqual({ host: 'h0.example', port: 1, count: 2 });
    expect(more).toEqual({ reached: 2, refused: 50 });
  });

  it('has the bytes of open and closed connections', async () => {
    const { outbound } = createWorld(['a.example'], port);
    for (const text of ['four', 'sixsix']) {
      const opened = await outbound.open('a.example', 80, signal);
      if (!opened.ok) throw new Error(opened.error.reason);
      const closed = new Promise((resolve) => opened.value.once('close', resolve));
      opened.value.end(text);
      expect(await readAll(opened.value)).toBe('hello');
      if (text === 'four') await closed;
    }
    expect(outbound.record().reached).toEqual([
      { host: 'a.example', port: 80, count: 2, sent: 10, received: 10 },
    ]);
  });
});
