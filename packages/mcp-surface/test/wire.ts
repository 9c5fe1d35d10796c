import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A response as sent over the network. */
export interface WireAnswer {
  readonly status: number;
  /** Status line and headers, with the date masked. */
  readonly head: string;
  readonly body: string;
}

/** A connection to send bytes and read responses. */
export interface Talk {
  readonly socket: Socket;
  send(text: string | Uint8Array): void;
  /** The next response; `bare` if it has a length but no body (HEAD). */
  answer(bare?: boolean): Promise<WireAnswer>;
  /** Settles when the server has closed the connection. */
  readonly closed: Promise<void>;
  end(): void;
}

/** Serves on a free port of the loopback address until the returned function is called. */
export async function listen(
  listener: RequestListener,
): Promise<{ port: number; server: Server; close: () => Promise<void> }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { port, server, close };
}

/** Opens a connection. */
export function talk(port: number): Talk {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let wake = (): void => {};
  let over = false;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    received += text;
    wake();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      over = true;
      wake();
      resolve();
    });
  });
  const answer = async (bare = false): Promise<WireAnswer> => {
    for (;;) {
      const found = cut(received, bare);
      if (found !== null) {
        received = received.slice(found.length);
        return found.answer;
      }
      if (over) throw new Error(`the connection ended before an answer; received: ${received}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    socket,
    closed,
    answer,
    send: (text) => void socket.write(text),
    end: () => socket.destroy(),
  };
}

/** One request on a new connection. */
export async function ask(
  port: number,
  text: string | Uint8Array,
  bare = false,
): Promise<WireAnswer> {
  const one = talk(port);
  one.send(text);
  try {
    return await one.answer(bare);
  } finally {
    one.end();
  }
}

function cut(text: string, bare: boolean): { length: number; answer: WireAnswer } | null {
  const split = text.indexOf('\r\n\r\n');
  if (split < 0) return null;
  const head = text.slice(0, split).replace(/^Date: .*$/m, 'Date: *');
  const status = Number(head.slice(9, 12));
  const start = split + 4;
  if (/^transfer-encoding: chunked$/im.test(head)) {
    const chunks = chunksOf(text, start);
    return chunks && { length: chunks.end, answer: { status, head, body: chunks.body } };
  }
  const length = bare ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const rest = Buffer.from(text.slice(start));
  if (rest.length < length) return null;
  const body = rest.subarray(0, length).toString();
  return { length: start + body.length, answer: { status, head, body } };
}

function chunksOf(text: string, start: number): { body: string; end: number } | null {
  const bytes = Buffer.from(text.slice(start));
  let at = 0;
  let body = '';
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size;
    if (bytes.length < end + 2) return null;
    if (size === 0) return { body, end: start + bytes.subarray(0, end + 2).toString().length };
    body += bytes.toString('utf8', line + 2, end);
    at = end + 2;
  }
}
