import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine with a secret. */
export interface ClosedServer {
  /** Its address under a host name that resolves to this machine. */
  origin(host: string): string;
  /** The requested paths, except `/moved?to=<address>`, which only redirects. */
  reached(): readonly string[];
  close(): Promise<void>;
}

/** Starts the server on a free loopback port. */
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
