import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createGate, type GateOptions, gateRequestOf } from '@svc/browser-auth';
import fc from 'fast-check';

const ask = (
  options: Partial<GateOptions>,
  request: {
    method?: string;
    peer?: string;
    host?: string;
    origin?: string;
    auth?: string;
    proxy?: Record<string, string>;
    encrypted?: boolean;
  },
) =>
  createGate({ mode: 'none', ...options })({
    method: request.method ?? 'GET',
    remoteAddress: request.peer ?? '127.0.0.1',
    ...(request.encrypted === undefined ? {} : { encrypted: request.encrypted }),
    headers: {
      host: request.host,
      origin: request.origin,
      authorization: request.auth,
      ...request.proxy,
    },
  })?.code ?? 'passes';

describe('the Host check', () => {
  it.each([
    ['localhost:7420', 'passes'],
    ['LOCALHOST', 'passes'],
    ['app.localhost:1', 'passes'],
    ['127.0.0.1:7420', 'passes'],
    ['192.168.1.7', 'passes'],
    ['[::1]:7420', 'passes'],
    ['nas:7420', 'passes'],
    ['evil.example', 'forbidden_host'],
    ['evil.example:7420', 'forbidden_host'],
    ['localhost.evil.example', 'forbidden_host'],
    ['127.0.0.1.evil.example', 'forbidden_host'],
    ['svc.example.com', 'passes'],
    ['agents.lan', 'passes'],
    ['AGENTS.LAN:80', 'passes'],
    ['', 'forbidden_host'],
    ['a b', 'forbidden_host'],
    ['user@localhost', 'forbidden_host'],
  ])('%j %s', (host, answer) => {
    const options = { publicHosts: ['agents.lan'], publicUrl: 'https://svc.example.com/base' };
    expect(ask(options, { host })).toBe(answer);
  });
});

describe('the Origin check', () => {
  it.each([
    ['POST', 'http://localhost:7420', 'passes'],
    ['PUT', 'http://localhost:9999', 'forbidden_origin'],
    ['DELETE', 'http://evil.example', 'forbidden_origin'],
    ['POST', 'null', 'forbidden_origin'],
    ['POST', '', 'forbidden_origin'],
    ['POST', 'https://agents.lan', 'passes'],
    ['POST', 'https://svc.example.com', 'passes'],
    ['POST', 'http://localhost:7420.evil.example', 'forbidden_origin'],
    ['GET', 'http://evil.example', 'passes'],
    ['HEAD', 'http://evil.example', 'passes'],
    ['QUERY', 'http://evil.example', 'forbidden_origin'],
  ])('%s from %j %s', (method, origin, answer) => {
    const options = { publicHosts: ['agents.lan'], publicUrl: 'https://svc.example.com' };
    expect(ask(options, { method, origin, host: 'localhost:7420' })).toBe(answer);
  });

  it.each([
    ['http://localhost:7420', 'passes'],
    ['http://localhost:3000', 'forbidden_origin'],
    ['http://127.0.0.1:7420', 'forbidden_origin'],
    ['http://127.0.0.1:3000', 'forbidden_origin'],
    ['https://localhost:7420', 'forbidden_origin'],
    ['http://localhost', 'forbidden_origin'],
    ['https://svc.example.com:8443', 'passes'],
    ['https://svc.example.com', 'forbidden_origin'],
    ['http://svc.example.com:8443', 'forbidden_origin'],
    ['https://agents.lan', 'passes'],
    ['http://agents.lan', 'passes'],
    ['https://agents.lan:443', 'forbidden_origin'],
    ['https://agents.lan:8443', 'forbidden_origin'],
    ['http://agents.lan:443', 'forbidden_origin'],
    ['http://nas.lan:8080', 'passes'],
    ['https://nas.lan:8080', 'passes'],
    ['http://nas.lan', 'forbidden_origin'],
    ['https://nas.lan', 'forbidden_origin'],
    ['http://six.lan', 'passes'],
    ['HTTP://LOCALHOST:7420', 'passes'],
    ['http://localhost:7420/', 'forbidden_origin'],
    ['http://user@localhost:7420', 'forbidden_origin'],
    ['http://localhost:7420, http://localhost:7420', 'forbidden_origin'],
    ['file://', 'forbidden_origin'],
    ['null', 'forbidden_origin'],
  ])('compares scheme, host and port: %j %s', (origin, answer) => {
    const options = {
      publicHosts: ['agents.lan', 'nas.lan:8080', ' six.lan '],
      publicUrl: 'https://svc.example.com:8443/base',
    };
    expect(ask(options, { method: 'POST', host: 'localhost:7420', origin })).toBe(answer);
  });

  it('treats other ports of this machine as foreign, also if the public address is here', () => {
    const options = { publicUrl: 'http://127.0.0.1:7420' };
    const from = (origin: string) =>
      ask(options, { method: 'POST', host: 'localhost:7420', origin });
    expect(from('http://127.0.0.1:7420')).toBe('passes');
    expect(from('http://127.0.0.1:3000')).toBe('forbidden_origin');
  });

  it.each<[string, object, string, string]>([
    ['over TLS', { encrypted: true }, 'https://nas:7420', 'passes'],
    ['over TLS', { encrypted: true }, 'http://nas:7420', 'forbidden_origin'],
    ['in plain text', { encrypted: false }, 'http://nas:7420', 'passes'],
    [
      'through a trusted proxy with https',
      { peer: '10.0.0.2', proxy: { 'x-forwarded-proto': 'HTTPS, http' } },
      'https://nas:7420',
      'passes',
    ],
    [
      'through a trusted proxy with https',
      { peer: '10.0.0.2', proxy: { 'x-forwarded-proto': 'https' } },
      'http://nas:7420',
      'forbidden_origin',
    ],
    [
      'from a stranger who says https',
      { peer: '10.0.0.3', proxy: { 'x-forwarded-proto': 'https' } },
      'https://nas:7420',
      'forbidden_origin',
    ],
  ])('determines the scheme of a request %s %j: %s %s', (_, request, origin, answer) => {
    const options = { trustedProxies: { has: (peer: string | undefined) => peer === '10.0.0.2' } };
    expect(ask(options, { method: 'POST', host: 'nas:7420', origin, ...request })).toBe(answer);
  });

  it('without a Host has no own origin', () => {
    expect(ask({}, { method: 'POST', origin: 'http://localhost' })).toBe('forbidden_origin');
  });

  it('allows programs, which send no Origin', () => {
    expect(ask({}, { method: 'POST', host: 'localhost:7420' })).toBe('passes');
  });

  it('handles default ports', () => {
    const request = { method: 'POST', host: 'nas:80', origin: 'http://nas' };
    expect(ask({}, request)).toBe('passes');
  });

  it('never allows an origin that is neither the own Host nor a configured name', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { origin, hostname } = new URL(url);
        fc.pre(hostname !== 'known.example');
        const options = { publicHosts: ['known.example'] };
        const request = { method: 'POST', host: 'localhost:7420', origin };
        expect(ask(options, request)).toBe('forbidden_origin');
      }),
      { numRuns: 200 },
    );
  });
});

describe('without an auth mode', () => {
  it.each([
    ['127.0.0.1', 'passes'],
    ['127.8.9.1', 'passes'],
    ['::1', 'passes'],
    ['::ffff:127.0.0.1', 'passes'],
    ['192.168.1.9', 'auth_not_configured'],
    ['::ffff:10.0.0.1', 'auth_not_configured'],
    ['fe80::1', 'auth_not_configured'],
    ['127.evil', 'auth_not_configured'],
  ])('a peer at %s %s', (peer, answer) => {
    expect(ask({ mode: 'unset' }, { peer, host: 'localhost' })).toBe(answer);
  });

  it.each<[Record<string, string>, string]>([
    [{ 'x-forwarded-for': '8.8.8.8' }, 'auth_not_configured'],
    [{ 'x-forwarded-for': '127.0.0.1, 10.0.0.1' }, 'auth_not_configured'],
    [{ 'x-forwarded-for': 'unknown' }, 'auth_not_configured'],
    [{ 'x-real-ip': '8.8.8.8' }, 'auth_not_configured'],
    [{ 'x-client-ip': '8.8.8.8' }, 'auth_not_configured'],
    [{ 'cf-connecting-ip': '8.8.8.8' }, 'auth_not_configured'],
    [{ 'true-client-ip': '8.8.8.8' }, 'auth_not_configured'],
    [{ forwarded: 'for=8.8.8.8;proto=https' }, 'auth_not_configured'],
    [{ forwarded: 'for="[2001:db8::1]:4711"' }, 'auth_not_configured'],
    [{ 'x-forwarded-for': '127.0.0.1' }, 'passes'],
    [{ forwarded: 'for="[::1]:80"' }, 'passes'],
    [{ 'x-forwarded-proto': 'https' }, 'passes'],
  ])('a proxy on this machine that speaks for %j %s', (proxy, answer) => {
    expect(ask({ mode: 'unset' }, { host: '127.0.0.1:7420', proxy })).toBe(answer);
    expect(ask({ mode: 'none' }, { host: '127.0.0.1:7420', proxy })).toBe('passes');
  });

  it('accepts the local secret, and nothing similar', () => {
    const options = { mode: 'unset', localSecret: 's3cret' } as const;
    const peer = '10.0.0.1';
    expect(ask(options, { peer, auth: 'Bearer s3cret' })).toBe('passes');
    expect(ask(options, { peer, auth: 'Bearer s3cre' })).toBe('auth_not_configured');
    expect(ask({ ...options, localSecret: '' }, { peer, auth: 'Bearer ' })).toBe(
      'auth_not_configured',
    );
  });
});

it('reads what it needs from a request of node:http', async () => {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(gateRequestOf(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const text = await new Promise<string>((resolve) => {
    get({ port, host: '127.0.0.1', headers: { host: 'nas', connection: 'close' } }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve(body));
    });
  });
  await new Promise((resolve) => server.close(resolve));
  const headers = { host: 'nas', connection: 'close' };
  const rawHeaders = ['host', 'nas', 'connection', 'close'];
  const peer = { remoteAddress: '127.0.0.1', encrypted: false };
  const expected = { method: 'GET', headers, rawHeaders, ...peer };
  expect(JSON.parse(text)).toEqual(expected);
});
