import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of this machine that holds a secret. */
export interface ClosedServer {
  /** Its address under a host name that leads to this machine. */
  origin(host: string): string;
  /** Paths at which it was reached; not that of `/moved?to=<address>`, which only redirects. */
  reached(): readonly string[];
  close(): Promise<void>;
}

/** Starts it, on loopback and a free port. */
export async function startClosedServer(secret: string): Promise<ClosedServer> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/moved') {
      response.writeHead(302, { location: url.searchParams.get('to') ?? '/' });
      response.end();
      return;
    }
    paths.push(url.pathname);
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end(secret);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: (host) => `http://${host}:${port}`,
    reached: () => paths,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
