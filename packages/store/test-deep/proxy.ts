import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a proxy does to the next statement of a kind. */
interface Cut {
  /** What the statement begins with. */
  readonly statement: string;
  /** Whether the server hears of it; its answer is held back in any case. */
  readonly isHeard: boolean;
  /** Called before the connection is cut. Default: it is at once. */
  readonly before?: () => Promise<void>;
}

/** A way to a server that breaks where a test says. */
export interface CutProxy {
  readonly url: string;
  /** The next statement of the kind is the last of its connection; resolves when that is cut. */
  cut(cut: Cut): Promise<void>;
  /** Whether new connections come to the server; those that do not are ended at once. Default: true. */
  isOpen: boolean;
  /** How many connections were ended at once. */
  readonly refused: number;
}

interface Armed extends Cut {
  done(): void;
}

// The one byte of its kind, and four with its length.
const HEADER = 5;

/** A proxy to the server of an address. */
export async function withProxy(
  url: string,
  test: (proxy: CutProxy) => Promise<void>,
): Promise<void> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let armed: Armed | null = null;
  let refused = 0;
  const take = (sent: Buffer): Armed | null => {
    const text = sent.toString('latin1', HEADER);
    if (sent[0] !== 0x51 || armed === null || !text.startsWith(armed.statement)) return null;
    const taken = armed;
    armed = null;
    return taken;
  };
  const server = createServer((client) => {
    if (!proxy.isOpen) {
      refused += 1;
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (answer) => client.write(answer));
    client.on('data', (sent) => {
      const cut = take(sent);
      if (cut === null) upstream.write(sent);
      else void cutOff(cut, { client, upstream, sent });
    });
  });
  const proxy = {
    url: '',
    isOpen: true,
    get refused() {
      return refused;
    },
    cut: (cut: Cut) =>
      new Promise<void>((done) => {
        armed = { ...cut, done };
      }),
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String((server.address() as AddressInfo).port);
  proxy.url = address.href;
  try {
    await test(proxy);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
}

interface Way {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly sent: Buffer;
}

async function cutOff(cut: Armed, { client, upstream, sent }: Way): Promise<void> {
  upstream.removeAllListeners('data');
  if (cut.isHeard) {
    upstream.write(sent);
    // It answers what it has done.
    await once(upstream, 'data');
  }
  // The server is not notified: the connection falls silent, as with a machine that is gone.
  client.removeAllListeners('close');
  upstream.removeAllListeners('close');
  await cut.before?.();
  client.destroy();
  cut.done();
}
