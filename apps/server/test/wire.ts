import { connect, type Socket } from 'node:net';

/** An answer as sent over the connection. */
export interface WireAnswer {
  readonly status: number;
  /** Status line and headers, with the date masked. */
  readonly head: string;
  /** Without chunk framing. */
  readonly body: string;
}

/** A connection to send text on and read answers from in order. */
export interface Wire {
  readonly socket: Socket;
  send(text: string): void;
  /** The next answer; `bare` if it has no body (HEAD). */
  answer(bare?: boolean): Promise<WireAnswer>;
  /** Resolves with all data that was not read as an answer, once the server has closed the connection. */
  readonly closed: Promise<string>;
  end(): void;
}

/** Opens a connection to the server behind a URL. */
export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received: Buffer = Buffer.alloc(0);
  let wake = (): void => {};
  let over = false;
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    wake();
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => {
      over = true;
      wake();
      resolve(received.toString());
    });
  });
  return {
    socket,
    closed,
    send: (text) => void socket.write(text),
    end: () => void socket.destroy(),
    async answer(bare = false) {
      for (;;) {
        const found = cut(received, bare);
        if (found !== null) {
          received = received.subarray(found.end);
          return found.answer;
        }
        if (over) throw new Error(`The connection ended after: ${received.toString()}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** One request on its own connection. */
export async function exchange(url: string, text: string, bare = false): Promise<WireAnswer> {
  const wire = openWire(url);
  wire.send(text);
  try {
    return await wire.answer(bare);
  } finally {
    wire.end();
  }
}

/** The parts of a request to the endpoint that tests change; null omits a header. */
export interface RequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | object;
}

/** The text of a request; by default complete and valid. */
export function requestOf(parts: RequestParts): string {
  const { method = 'POST', path = '/mcp', token = null, headers = {}, body = '' } = parts;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all: Record<string, string | null> = {
    Host: 'svc.invalid',
    Authorization: token === null ? null : `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${text}`;
}

/** A JSON-RPC request. */
export function rpc(method: string, params: object = {}, id: number | string = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** The single message of an event stream; throws if there is anything else in it except comments. */
export function messageIn(stream: string): Record<string, unknown> {
  const events = stream.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'));
  const [, data = null] = /^event: message\ndata: (.*)$/.exec(events.join('\n\n')) ?? [];
  if (data === null) throw new Error(`expected one event named message: ${stream}`);
  return JSON.parse(data) as Record<string, unknown>;
}

/** The answer of a tool. */
export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** Calls a tool on an open connection. */
export async function callTool(
  wire: Wire,
  token: string,
  name: string,
  args: object = {},
): Promise<ToolAnswer> {
  wire.send(requestOf({ token, body: rpc('tools/call', { name, arguments: args }) }));
  const { status, body } = await wire.answer();
  if (status !== 200) throw new Error(`${name}: ${status} ${body}`);
  const message = messageIn(body);
  if (message['result'] === undefined) throw new Error(`${name}: ${body}`);
  return message['result'] as ToolAnswer;
}

function cut(bytes: Buffer, bare: boolean): { end: number; answer: WireAnswer } | null {
  const split = bytes.indexOf('\r\n\r\n');
  if (split < 0) return null;
  const head = bytes.toString('latin1', 0, split).replace(/^Date: .*$/m, 'Date: *');
  const status = Number(head.slice(9, 12));
  const start = split + 4;
  if (!bare && /^transfer-encoding: chunked$/im.test(head)) {
    const chunks = chunksOf(bytes, start);
    return chunks && { end: chunks.end, answer: { status, head, body: chunks.body } };
  }
  const length = bare ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const end = start + length;
  return bytes.length < end
    ? null
    : { end, answer: { status, head, body: bytes.toString('utf8', start, end) } };
}

function chunksOf(bytes: Buffer, start: number): { body: string; end: number } | null {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size;
    if (bytes.length < end + 2) return null;
    if (size === 0) return { body: Buffer.concat(parts).toString(), end: end + 2 };
    parts.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}
