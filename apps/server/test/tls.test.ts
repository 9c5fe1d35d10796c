import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createSystemClock, silentLogger } from '@svc/core';
import { openCertificate, type TlsPair } from '@svc/http-listener';
import { createHomeFetch } from '../src/home-server.ts';
import { type OpenHome, openHome, type Running, until, withHome } from './harness.ts';
import { messageIn, openWire, requestOf, rpc } from './wire.ts';

jest.setTimeout(40_000);

const TOKEN = 'tok_home_0123456789abcdef0123';
const CONFIG = `server: { publicHosts: [page.example], tls: { certFile: tls/cert.pem, keyFile: tls/key.pem } }
managementApi:
  instanceId: home
  publicUrl: https://svc.example.com
  clients: { ci: { auth: { ref: env:TOKEN } } }
`;
const PROJECT = `triggers:
  it:
    trigger: { type: schedule, interval: 1h }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`\\n" }
    enabled: false
`;

const FIXTURES = '../../../packages/http-listener/test/fixtures';
type Part = 'cert' | 'key';
const fixture = (name: string, part: Part): string =>
  new URL(`${FIXTURES}/${name}.${part}.pem`, import.meta.url).pathname;
const pem = (name: string, part: Part): string => readFileSync(fixture(name, part), 'utf8');
const fileIn = ({ home }: OpenHome, part: Part): string => join(home, `tls/${part}.pem`);

function install(home: OpenHome, name: string, ...parts: Part[]): void {
  for (const part of parts) copyFileSync(fixture(name, part), fileIn(home, part));
}

function homeWith(name: string): OpenHome {
  const home = openHome();
  home.write('svc.config.yaml', CONFIG);
  home.write('tls/cert.pem', pem(name, 'cert'));
  home.write('tls/key.pem', pem(name, 'key'));
  home.write('projects/demo/project.yaml', PROJECT);
  return home;
}

interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The expected certificate. */
  readonly trust?: string;
}

/** A request over TLS that verifies the certificate as every client does. */
function ask(url: string, path: string, { method = 'GET', headers = {}, body, trust }: Ask = {}) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const options = { method, headers: { Connection: 'close', ...headers } };
    const outgoing = request(
      new URL(path, url),
      { ...options, agent: false, ca: pem(trust ?? 'one', 'cert') },
      (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The answer to a plain connection before the server closes it. */
const talkPlain = (url: string, text: string | Buffer): Promise<string> =>
  new Promise((resolve) => {
    const socket = connectPlain(Number(new URL(url).port), '127.0.0.1');
    let heard = '';
    socket.on('data', (bytes) => (heard += String(bytes)));
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
    socket.write(text);
  });

async function openSecure(url: string): Promise<TLSSocket> {
  const socket = connect({ port: Number(new URL(url).port), rejectUnauthorized: false });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  return socket;
}

const shownBy = async (url: string): Promise<string | undefined> => {
  const socket = await openSecure(url);
  const shown = socket.getPeerX509Certificate()?.fingerprint256;
  socket.destroy();
  return shown;
};

const pairOf = async (name: string): Promise<TlsPair> => {
  const files = { certFile: fixture(name, 'cert'), keyFile: fixture(name, 'key') };
  return (await openCertificate({ clock: createSystemClock(), logger: silentLogger }, files)).pair;
};

describe('a service with a certificate', () => {
  let home: OpenHome;
  let server: Running;
  beforeAll(async () => {
    home = homeWith('one');
    server = await home.serve({ TOKEN });
  });
  afterAll(() => home.close());

  it('serves https, and logs an https address', async () => {
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(server.url, '/livez')).toEqual({ status: 200, body: '{"ok":true}\n' });
    expect((await ask(server.url, '/')).body).toContain(`${server.url}/api/projects`);
  });

  it.each([
    ['a request', 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'one with a long body',
      `POST /mcp HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(3_000_000)}`,
    ],
    ['something else', 'EHLO there\r\n'],
  ])('answers %s in plain text with 400 and an explanation', async (_, text) => {
    const [head = '', body = ''] = (await talkPlain(server.url, text)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*^Connection: close$/m);
    expect(Number(/^Content-Length: (\d+)$/m.exec(head)?.[1])).toBe(body.length);
    expect(JSON.parse(body)).toEqual({
      error: 'This port uses https. Start the address with https://.',
      code: 'invalid',
    });
  });

  it('closes an invalid handshake', async () => {
    expect(await talkPlain(server.url, Buffer.from([0x16, 3, 1, 0, 4, 1, 2, 3, 4]))).not.toMatch(
      /HTTP/,
    );
    expect((await ask(server.url, '/livez')).status).toBe(200);
  });

  // proves: auth.secure
  it('admits clients of /mcp from any address', async () => {
    const answer = await ask(server.url, '/mcp', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'X-Forwarded-For': '203.0.113.9',
      },
      body: JSON.stringify(rpc('ping')),
    });
    expect(answer.status).toBe(200);
    expect(messageIn(answer.body)).toMatchObject({ result: {} });
  });

  it('treats the https page at its own address as its own origin', async () => {
    const { port } = new URL(server.url);
    const from = (Origin: string) =>
      ask(server.url, '/api/projects/demo/triggers/it/run', {
        method: 'POST',
        headers: { Origin },
      });
    expect((await from(`https://127.0.0.1:${port}`)).status).toBe(202);
    expect((await from(`http://127.0.0.1:${port}`)).status).toBe(403);
  });

  it('limits the requests that wait on a connection', async () => {
    const socket = await openSecure(server.url);
    let text = '';
    socket.on('data', (bytes) => (text += String(bytes)));
    const probe = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
    socket.write(`${probe.replace('/livez', '/api/events')}${probe.repeat(31)}`);
    await until(async () => text.includes(': changes follow'));
    expect((await ask(server.url, '/livez')).status).toBe(200);
    expect(socket.closed).toBe(false);
    socket.write(probe);
    await until(async () => socket.closed);
  });

  it('is reached by svc fire, which trusts this certificate only', async () => {
    expect(await home.run('fire', 'demo', 'it', '--wait')).toMatchObject({
      code: 0,
      out: expect.stringContaining('succeeded'),
    });
    const file = join(home.home, 'data/instance.json');
    const text = readFileSync(file, 'utf8');
    const { fingerprint } = await pairOf('two');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(text), certificate: fingerprint }));
    const refused = await home.run('fire', 'demo', 'it');
    writeFileSync(file, text);
    expect(refused).toMatchObject({
      code: 1,
      error: expect.stringContaining('does not present the certificate of this home'),
    });
  });
});

it('the secret of a home is sent to its own server only', async () => {
  let asked = 0;
  const otherServer = createServer(
    { key: pem('two', 'key'), cert: pem('two', 'cert') },
    (_, response) => {
      asked += 1;
      response.end('{}');
    },
  );
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
  const call = async (certificate: string | null) => {
    const instance = { url, secret: 's', pid: process.pid, certificate };
    const ask = createHomeFetch(instance, createSystemClock(), async () => instance);
    const response = await ask(new Request(url));
    return { status: response.status, body: await response.json() };
  };
  const one = await pairOf('one');
  const two = await pairOf('two');
  try {
    for (const pin of [one.fingerprint, null]) {
      await expect(call(pin)).rejects.toMatchObject({ code: 'server_unknown' });
    }
    expect(asked).toBe(0);
    expect(await call(two.fingerprint)).toEqual({ status: 200, body: {} });
  } finally {
    await new Promise((resolve) => otherServer.close(resolve).closeAllConnections());
  }
  await expect(call(two.fingerprint)).rejects.toMatchObject({ code: 'server_silent' });
});

it('a certificate that is not valid prevents the start', () =>
  withHome(async (home) => {
    home.write('svc.config.yaml', CONFIG);
    home.write('tls/cert.pem', pem('one', 'cert'));
    home.write('tls/key.pem', pem('two', 'key'));
    await expect(home.serve()).rejects.toThrow(
      /^exit 1: svc: server\.tls\.keyFile: the key in \S+ does not belong to the first certificate in \S+\n$/,
    );
  }));

describe('a renewed certificate', () => {
  const linesWith = (server: Running, words: string) =>
    server.lines.filter(({ msg }) => String(msg).includes(words));

  it('is loaded once both files are there, and no connection is dropped', async () => {
    const home = homeWith('one');
    const server = await home.serve({ TOKEN });
    const [one, two] = await Promise.all([pairOf('one'), pairOf('two')]);
    const old = await openSecure(server.url);
    let text = '';
    old.on('data', (bytes) => (text += String(bytes)));
    old.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(async () => text.includes(': changes follow'));

    install(home, 'two', 'cert');
    const [warning] = await until(async () => {
      const lines = linesWith(server, 'cannot reload certificate');
      return lines.length > 0 && lines;
    });
    expect(warning).toMatchObject({
      level: 40,
      error: expect.stringContaining('does not belong to the first certificate'),
    });
    expect(await shownBy(server.url)).toBe(one.fingerprint);
    // A signal forces a check of the files, although they have not changed.
    server.process.kill('SIGHUP');
    await until(async () => linesWith(server, 'cannot reload certificate').length === 2);

    install(home, 'two', 'key');
    await until(async () => (await shownBy(server.url)) === two.fingerprint);
    expect((await ask(server.url, '/livez', { trust: 'two' })).status).toBe(200);
    await expect(ask(server.url, '/livez', { trust: 'one' })).rejects.toThrow();
    const fired = await home.run('fire', 'demo', 'it', '--wait');
    expect([fired.code, fired.error]).toEqual([0, '']);
    await until(async () => text.includes('event: run'));
    expect(old.closed).toBe(false);
    expect(await server.stop()).toBe(0);
    expect(JSON.stringify(server.lines)).not.toContain('PRIVATE KEY');
    await home.close();
  });
});

it('silent connections do not delay the shutdown of a service with TLS', async () => {
  const home = homeWith('one');
  home.write('svc.config.yaml', CONFIG.replace('server: {', 'server: { drainTimeout: 10m,'));
  const server = await home.serve({ TOKEN });
  const silent = openWire(server.url);
  const secure = await openSecure(server.url);
  secure.resume();
  secure.write(requestOf({ path: '/api/projects', body: '{"name":"x"}' }).slice(0, -3));
  expect((await ask(server.url, '/livez')).status).toBe(200);
  expect(await server.stop()).toBe(0);
  await silent.closed;
  await until(async () => secure.closed);
  await home.close();
});
