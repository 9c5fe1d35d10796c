import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createCommandSink, createHttpSink, createPing, isWebhookSecret } from '@svc/alerts';
import { createSystemClock } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { Webhook } from 'standardwebhooks';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = '{"type":"failed","timestamp":"2026-03-01T09:00:00.000Z","data":{}}';
const never = new AbortController().signal;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function withServer(handler: Handler, test: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('a webhook', () => {
  it('is signed so that the official library accepts it', async () => {
    let verified: unknown = null;
    const handler: Handler = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const headers = request.headers as Record<string, string>;
      verified = new Webhook(SECRET).verify(body, headers);
      expect(headers['webhook-id']).toBe('id-1');
      response.writeHead(204).end();
    };
    await withServer(handler, async (url) => {
      const sink = createHttpSink(createSystemClock(), { url, secret: SECRET });
      expect(await sink.send({ id: 'id-1', body: BODY }, never)).toEqual({ ok: true });
    });
    expect(verified).toEqual(JSON.parse(BODY));
  });

  it('follows no redirect, and reports the status without the address', async () => {
    let asked = 0;
    const handler: Handler = (request, response) => {
      asked += 1;
      response.writeHead(307, { location: request.url ?? '' }).end();
    };
    await withServer(handler, async (url) => {
      const sink = createHttpSink(createFakeClock(), { url, secret: SECRET });
      expect(await sink.send({ id: 'id-1', body: BODY }, never)).toEqual({
        ok: false,
        error: 'The server responded with status 307. Redirects are not followed.',
      });
    });
    expect(asked).toBe(1);
  });

  // proves: alerts.bounds
  it.each<[string, Handler, string]>([
    [
      '500',
      (_, response) => response.writeHead(500).end('x'.repeat(1000)),
      'The server responded with status 500.',
    ],
    [
      'a closed connection',
      (request) => request.socket.destroy(),
      'The server cannot be reached (UND_ERR_SOCKET).',
    ],
    [
      'what is no HTTP',
      (request) => request.socket.end('garbage\r\n\r\n'),
      'The server cannot be reached (HPE_INVALID_CONSTANT).',
    ],
  ])('fails when it responds with %s', (_, handler, error) =>
    withServer(handler, async (url) => {
      const sink = createHttpSink(createFakeClock(), { url, secret: SECRET });
      expect(await sink.send({ id: 'id-1', body: BODY }, never)).toEqual({ ok: false, error });
    }),
  );

  // proves: alerts.bounds
  it('does not read an oversized response to its end', async () => {
    const closed: Promise<unknown>[] = [];
    const handler: Handler = (_, response) => {
      closed.push(once(response, 'close'));
      response.writeHead(200);
      // Never ends.
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    };
    await withServer(handler, async (url) => {
      const sink = createHttpSink(createFakeClock(), { url, secret: SECRET });
      expect(await sink.send({ id: 'id-1', body: BODY }, never)).toEqual({ ok: true });
      await Promise.all(closed);
    });
    expect(closed).toHaveLength(1);
  });

  it('times out without a response', async () => {
    const clock = createFakeClock();
    let arrived = (): void => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await withServer(
      () => arrived(),
      async (url) => {
        const sent = createPing(clock, url)(never);
        await asked;
        await clock.advance(10_000);
        expect(await sent).toEqual({ ok: false, error: 'No response within 10 s.' });
      },
    );
  });

  it.each([
    [SECRET, true],
    ['whsec_c2hvcnQ=', false],
    [SECRET.slice(6), false],
    [`${SECRET} `, false],
  ])('accepts %j as a secret: %s', (text, is) => expect(isWebhookSecret(text)).toBe(is));
});

describe('a command', () => {
  const clock = createSystemClock();
  const env = { PATH: process.env['PATH'] ?? '' };
  const node = (script: string, cwd = tmpdir(), timer = clock) =>
    createCommandSink(timer, { command: process.execPath, args: ['-e', script], cwd, env });

  it('gets the alert on stdin', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'svc-alert-'));
    try {
      const script = `require('fs').writeFileSync('got', require('fs').readFileSync(0))`;
      expect(await node(script, cwd).send({ id: 'id-1', body: BODY }, never)).toEqual({ ok: true });
      expect(readFileSync(join(cwd, 'got'), 'utf8')).toBe(BODY);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  // proves: alerts.bounds
  it('that floods its outputs or does not read stdin is drained, and the first line of stderr is reported', async () => {
    const flood = 'for (let n = 0; n < 200; n += 1) fs.writeSync(2, "no\\n".repeat(20000))';
    const sent = await node(`const fs = require('fs'); ${flood}; process.exit(3)`).send(
      { id: 'id-1', body: BODY.padEnd(1_000_000) },
      never,
    );
    expect(sent).toEqual({ ok: false, error: 'The command exited with code 3: no' });
  });

  // proves: alerts.bounds
  it('is killed together with its child processes', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'svc-alert-'));
    try {
      const script = `const { spawn } = require('child_process');
        const child = spawn('sleep', ['600'], { stdio: 'ignore' });
        require('fs').writeFileSync('pid', String(child.pid)); process.exit(0)`;
      expect(await node(script, cwd).send({ id: 'id-1', body: BODY }, never)).toEqual({ ok: true });
      const stat = () => {
        try {
          return readFileSync(`/proc/${readFileSync(join(cwd, 'pid'), 'utf8')}/stat`, 'utf8');
        } catch {
          return ' Z ';
        }
      };
      while (!/ [ZX] /.test(stat())) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  it('reports its exit code when it fails', async () => {
    const sent = await node('process.exit(3)').send({ id: 'id-1', body: BODY }, never);
    expect(sent).toEqual({ ok: false, error: 'The command exited with code 3.' });
  });

  it('fails if it does not exist or times out', async () => {
    const none = createCommandSink(clock, { command: 'no-such-program', args: [], cwd: '/', env });
    expect(await none.send({ id: 'id-1', body: BODY }, never)).toEqual({
      ok: false,
      error: 'The command could not be started (ENOENT).',
    });
    const odd = createCommandSink(clock, { command: 'x', args: ['a\0b'], cwd: '/', env });
    expect(await odd.send({ id: 'id-1', body: BODY }, never)).toEqual({
      ok: false,
      error: 'The command could not be started (ERR_INVALID_ARG_VALUE).',
    });
    const fake = createFakeClock();
    const sent = node('setInterval(() => {}, 1000)', tmpdir(), fake).send(
      { id: 'id-1', body: BODY },
      never,
    );
    await fake.advance(30_000);
    expect(await sent).toEqual({ ok: false, error: 'The command timed out after 30 s.' });
  });
});
