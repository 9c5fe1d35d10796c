import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createHomeFetch } from '../src/home-server.ts';

it('a GET to a server that does not answer times out after ten seconds', async () => {
  const clock = createFakeClock();
  const sockets: Socket[] = [];
  let asked = (): void => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.once('data', () => asked());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const instance = { url, secret: 's', pid: process.pid, certificate: null };
    let error: unknown = null;
    const call = createHomeFetch(
      instance,
      clock,
      async () => instance,
    )(new Request(url)).catch((thrown: unknown) => {
      error = thrown;
    });
    await isAsked;
    await clock.advance(9_999);
    expect(error).toBeNull();
    await clock.advance(1);
    await call;
    expect(error).toMatchObject({
      code: 'server_silent',
      message: `The server at ${url} does not answer.`,
    });
    expect(clock.pending).toBe(0);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});
