import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createPartFeeder } from '../src/network/part-feeder.ts';

const CHUNK = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 251));

/** The parts that a listener got of one chunk, while it calls `at` with the number of the part. */
async function partsOf(at: (part: number, client: PassThrough) => void) {
  const client = new PassThrough();
  const feeder = createPartFeeder();
  const parts: Buffer[] = [];
  client.on('data', (part: Buffer) => {
    parts.push(part);
    at(parts.length, client);
  });
  feeder.start(client);
  const fed = new Promise((resolve) => client.once('data', () => setImmediate(resolve)));
  client.write(CHUNK);
  await fed;
  return parts;
}

describe('a part feeder', () => {
  it('passes everything on in parts of 4 KiB', async () => {
    const parts = await partsOf(() => {});
    expect(parts.map(({ length }) => length)).toEqual([4096, 4096, 4096, 4096, 3616]);
    expect(Buffer.concat(parts).equals(CHUNK)).toBe(true);
  });

  it('passes nothing on after its client is destroyed', async () => {
    const parts = await partsOf((part, client) => {
      if (part === 2) client.destroy();
    });
    expect(parts).toHaveLength(2);
  });

  it('returns what it has not passed on when it is stopped', async () => {
    let rest = Buffer.alloc(0);
    const client = new PassThrough();
    const feeder = createPartFeeder();
    const parts: Buffer[] = [];
    client.on('data', (part: Buffer) => {
      parts.push(part);
      rest = Buffer.from(feeder.stop(client));
    });
    feeder.start(client);
    client.write(CHUNK);
    await new Promise((resolve) => setImmediate(resolve));
    expect(parts).toHaveLength(1);
    expect(Buffer.concat([...parts, rest]).equals(CHUNK)).toBe(true);
    expect(client.listenerCount('data')).toBe(0);
    expect(feeder.stop(new PassThrough())).toHaveLength(0);
  });
});
