import { get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningSurface, startSurface } from './surface.ts';

const LIST = '/api/projects/alpha/triggers';
let rest: RunningSurface;
beforeAll(async () => {
  rest = await startSurface();
});
beforeEach(() => {
  rest.ops.reset();
  const nightly = rest.ops.stored.get('nightly');
  if (nightly === undefined) throw new Error('There is no such trigger.');
  const run = { ...nightly.run, prompt: 'Look at what has changed. '.repeat(100) };
  rest.ops.stored.set('nightly', { ...nightly, run });
});
afterAll(() => rest.close());

interface Raw {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** A response as sent over the network. */
function read(path: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(`${rest.url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status, headers } = response;
        resolve({ status, headers, bytes: Buffer.concat(chunks) });
      });
    }).on('error', reject);
  });
}

const GZIP = { 'accept-encoding': 'gzip, deflate, br' };

// proves: rest.compressed
describe('a response of a kilobyte and more', () => {
  it('is compressed for clients that accept gzip, with the same content', async () => {
    const plain = await read(LIST, {});
    const packed = await read(LIST, GZIP);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers).toMatchObject({
      ...{ 'content-encoding': 'gzip', 'content-length': String(packed.bytes.length) },
      'cache-control': 'no-store',
    });
    expect([plain, packed].map(({ headers }) => headers['vary'])).toEqual([
      ...['Accept-Encoding', 'Accept-Encoding'],
    ]);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
  });

  it.each([{}, { 'accept-encoding': 'gzip;q=0' }, { 'accept-encoding': 'br' }])(
    'is sent uncompressed to %j',
    async (headers) => {
      const { bytes, headers: received } = await read(LIST, headers as Record<string, string>);
      expect(received['content-encoding']).toBeUndefined();
      expect(JSON.parse(String(bytes))).toHaveProperty('triggers');
    },
  );

  it('has the entity tag of the uncompressed response, which works in If-Match and If-None-Match', async () => {
    const plain = await read(`${LIST}/nightly`, {});
    const packed = await read(`${LIST}/nightly`, GZIP);
    const etag = String(packed.headers['etag']);
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(etag).toBe(plain.headers['etag']);
    const known = await read(`${LIST}/nightly`, { ...GZIP, 'if-none-match': etag });
    expect([known.status, known.bytes.length, known.headers['etag']]).toEqual([304, 0, etag]);
    expect(known.headers['content-encoding']).toBeUndefined();
    expect(known.headers['vary']).toBe('Accept-Encoding');
    const json = { trigger: { type: 'schedule', interval: '1h' }, run: { prompt: 'x' } };
    await rest.ask('PUT', `${LIST}/nightly`, { headers: { 'if-match': etag }, json });
    expect(rest.ops.calls.at(-1)?.input).toMatchObject({ if_match: etag });
  });
});

// proves: rest.compressed
it('short responses and the stream of changes are not compressed', async () => {
  const short = await read('/api/status', GZIP);
  expect(short.bytes.length).toBeLessThan(1024);
  expect(short.headers['content-encoding']).toBeUndefined();
  const abort = new AbortController();
  const { signal } = abort;
  const stream = await fetch(`${rest.url}/api/events`, { headers: GZIP, signal });
  expect(stream.headers.get('content-encoding')).toBeNull();
  abort.abort();
});
