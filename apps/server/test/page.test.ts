import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createPage } from '../src/page.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let folder: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-page-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const write = (name: string, text: string | Buffer): void => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, name), text);
};

function build(): void {
  write('index.html', '<p>page');
  write('assets/a1.js', 'plain');
  write('assets/a1.js.br', brotliCompressSync('plain'));
  write('assets/notes.txt', 'not served');
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

async function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> {
  const app = express().use(createPage(folder));
  app.use((_request, response) => void response.status(404).send('what comes after'));
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers, agent: false };
    get(options, (response) => {
      const { statusCode: status, headers } = response;
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const decode = DECODERS[headers['content-encoding'] ?? ''];
        const bytes = Buffer.concat(parts);
        const body = (decode === undefined || method === 'HEAD' ? bytes : decode(bytes)).toString();
        resolve({ status, headers, body });
      });
    }).on('error', reject);
  });
}

describe('the page', () => {
  it.each(['/', '/projects/hello', '/projects/hello/runs/1', '/apis', '/a.b'])(
    'is the answer to a browser at %s',
    async (path) => {
      build();
      const { status, headers, body } = await ask(path, { accept: BROWSER });
      expect([status, body]).toEqual([200, '<p>page']);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        vary: 'Accept, Accept-Encoding',
      });
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
    },
  );

  it.each([
    ['/api', BROWSER],
    ['/api/x', BROWSER],
    ['/mcp', BROWSER],
    ['/.well-known/x', BROWSER],
    ['/assets/none.js', BROWSER],
    ['/assets/notes.txt', BROWSER],
    ['/assets/../package.json', BROWSER],
    ['/', '*/*'],
    ['/', 'text/plain'],
    ['/projects/hello', 'application/json'],
  ])('is not the answer at %s to Accept: %s', async (path, accept) => {
    build();
    expect((await ask(path, { accept })).body).toBe('what comes after');
  });

  it('can only be read', async () => {
    build();
    expect((await ask('/', { accept: BROWSER }, 'POST')).body).toBe('what comes after');
    const { headers, body } = await ask('/', { accept: BROWSER }, 'HEAD');
    expect([headers['content-length'], body]).toEqual(['7', '']);
  });

  it.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip'],
    [undefined, 'identity'],
  ])('has compressed assets: %s', async (coding, accepted) => {
    build();
    const answer = await ask('/assets/a1.js', { 'accept-encoding': accepted });
    expect(answer).toMatchObject({ status: 200, body: 'plain' });
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['gzip', 'gzip'],
    [undefined, 'identity'],
  ])('is complete when an asset exists only compressed: %s', async (coding, accepted) => {
    build();
    rmSync(join(folder, 'assets/a1.js'));
    const answer = await ask('/assets/a1.js', { 'accept-encoding': accepted });
    expect(answer).toMatchObject({ status: 200, body: 'plain' });
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('that was not built is replaced by an explanation for browsers', async () => {
    const { status, body, headers } = await ask('/', { accept: BROWSER });
    expect(status).toBe(503);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toContain('its page was not built');
    expect((await ask('/', { accept: '*/*' })).body).toBe('what comes after');
  });
});
