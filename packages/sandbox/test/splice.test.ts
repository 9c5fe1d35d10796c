import { Duplex } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { splice } from '../src/network/splice.ts';
import { readAll } from './network-world.ts';

/** Two ends of a connection in memory: what one writes, the other reads. */
function pair(): readonly [Duplex, Duplex] {
  const ends: Duplex[] = [];
  const waiting: (() => void)[] = [() => {}, () => {}];
  for (const [at, to] of [
    [0, 1],
    [1, 0],
  ] as const) {
    ends[at] = new Duplex({
      highWaterMark: 1024,
      read() {
        const resume = waiting[at];
        waiting[at] = () => {};
        resume?.();
      },
      write(chunk, _encoding, done) {
        if (ends[to]?.push(chunk)) done();
        else waiting[to] = () => done();
      },
      final(done) {
        ends[to]?.push(null);
        done();
      },
    });
    ends[at]?.on('error', () => {});
  }
  return ends as [Duplex, Duplex];
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('splice', () => {
  it('stops reading while the other side does not read', async () => {
    const [client, inner] = pair();
    const [outer, host] = pair();
    splice(inner, outer);
    let sent = 0;
    const send = (): void => {
      if (sent >= 1_000_000) {
        client.end();
        return;
      }
      sent += 100;
      client.write(Buffer.alloc(100), send);
    };
    send();
    for (let turns = 0; turns < 200; turns += 1) await turn();
    expect(sent).toBeGreaterThan(1000);
    expect(sent).toBeLessThan(10_000);
    expect((await readAll(host)).length).toBe(1_000_000);
  });

  it('passes the end of one direction on, and keeps the other', async () => {
    const [client, inner] = pair();
    const [outer, host] = pair();
    splice(inner, outer);
    client.end('request');
    expect(await readAll(host)).toBe('request');
    host.end('response');
    expect(await readAll(client)).toBe('response');
  });

  it.each([0, 1])('closes both sides when side %i breaks', async (side) => {
    const [, inner] = pair();
    const [outer] = pair();
    splice(inner, outer);
    const both = [inner, outer];
    both[side]?.destroy(new Error('reset'));
    await turn();
    expect(both.every((one) => one.destroyed)).toBe(true);
  });

  it('closes the other side of a connection that is closed already', () => {
    const [, inner] = pair();
    const [outer] = pair();
    outer.destroy();
    splice(inner, outer);
    expect(inner.destroyed).toBe(true);
  });
});
