import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface Asked {
  readonly body: {
    readonly model: string;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | null;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
      readonly tool_call_id?: string;
      readonly [key: string]: unknown;
    }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly [key: string]: unknown;
  };
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Resolves when the connection of this request is gone. */
  readonly closed: Promise<void>;
}

export type Answering = (response: ServerResponse, asked: Asked, turn: number) => void;

/** A server on loopback with scripted answers. The last answer is repeated. */
export async function withEndpoint(
  answers: readonly Answering[],
  work: (baseUrl: string, asked: readonly Asked[]) => Promise<void>,
): Promise<void> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const one: Asked = {
        body: JSON.parse(Buffer.concat(pieces).toString()),
        url: request.url ?? '',
        headers: request.headers,
        closed: new Promise((resolve) => request.socket.once('close', () => resolve())),
      };
      asked.push(one);
      answers[Math.min(asked.length, answers.length) - 1]?.(response, one, asked.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await work(`http://127.0.0.1:${port}/v1`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** A chunk of a stream. */
export function chunk(delta: object, finish: string | null = null, more: object = {}): object {
  return { id: 'x', choices: [{ index: 0, delta, finish_reason: finish }], ...more };
}

export const DONE = 'data: [DONE]\n\n';

/** An answer of these chunks, in one piece, closed by its mark unless `end` is something else. */
export function stream(chunks: readonly object[], end: string = DONE): Answering {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + end);
  };
}

/** The piece of a tool call. */
export function piece(index: number | undefined, name: string | null, args: unknown, id?: string) {
  return {
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    function: { ...(name !== null && { name }), arguments: args },
  };
}

export const says = (text: string): Answering => stream([chunk({ content: text }, 'stop')]);

export const calls = (...made: readonly (readonly [string, object])[]): Answering =>
  stream([
    chunk(
      {
        role: 'assistant',
        tool_calls: made.map(([name, input], i) =>
          piece(i, name, JSON.stringify(input), `id-${i}`),
        ),
      },
      'tool_calls',
    ),
  ]);

/** An invalid answer. */
export function plain(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Answering {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** A proxy on loopback that tunnels to one server, whatever host is asked for, and refuses `refused.test`. */
export async function withProxy(
  baseUrl: string,
  work: (address: string, connected: readonly string[]) => Promise<void>,
): Promise<void> {
  const connected: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    connected.push(request.url ?? '');
    if (request.url?.startsWith('refused.test')) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const target = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy()).on('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, connected);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
