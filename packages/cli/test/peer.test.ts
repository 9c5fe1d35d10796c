import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { addressOf, createPeerFetch, type Peer } from '../src/peer.ts';

it.each([
  ['https://127.0.0.1:443', '127.0.0.1', 443],
  ['http://127.0.0.1:80', '127.0.0.1', 80],
  ['https://[::1]:7420', '::1', 7420],
])('the server at %s is called at its address', (url, host, port) => {
  expect(addressOf(url)).toEqual({ host, port });
});

describe('a fetch for a server', () => {
  const clock = createFakeClock();
  const peerAt = (server: Server, path = ''): Peer => ({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    headers: { authorization: 'Bearer x' },
  });
  const failureOf = (_: Peer, cause: unknown): Error => cause as Error;

  it('sends the request to the address of the server, with its prefix and headers', async () => {
    const server = await listen((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const { url, method, headers } = request;
        response.end(JSON.stringify({ url, method, body, by: headers.authorization }));
      });
    });
    const fetchThere = createPeerFetch(clock, async () => peerAt(server, '/svc/'), failureOf);
    const init = { method: 'POST', body: '{"a":"é"}' };
    const response = await fetchThere(new Request('http://svc.invalid/api/x?y=1', init));
    const sent = { url: '/svc/api/x?y=1', method: 'POST', body: '{"a":"é"}', by: 'Bearer x' };
    expect([response.status, await response.json()]).toEqual([200, sent]);
    server.close();
  });

  it.each([
    [302, '<html>'],
    [200, ''],
    [204, ''],
  ])('refuses %i with %j, which is not JSON', async (status, body) => {
    const server = await listen((_, response) => response.writeHead(status).end(body));
    const fetchThere = createPeerFetch(clock, async () => peerAt(server), failureOf);
    const asked = fetchThere(new Request('http://svc.invalid/'));
    await expect(asked).rejects.toMatchObject({ status });
    server.close();
  });

  it('returns a stream of events while it arrives', async () => {
    const server = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(': hello\n\n');
    });
    const fetchThere = createPeerFetch(clock, async () => peerAt(server), failureOf);
    const stop = new AbortController();
    const init = { signal: stop.signal, headers: { accept: 'text/event-stream' } };
    const response = await fetchThere(new Request('http://svc.invalid/', init));
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe(': hello\n\n');
    expect(clock.pending).toBe(0);
    stop.abort();
    server.closeAllConnections();
    server.close();
  });
});

async function listen(handler: RequestListener): Promise<Server> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
