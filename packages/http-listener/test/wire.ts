import { connect } from 'node:net';

/** A connection to send text on and read answers from in order. */
export interface Wire {
  send(text: string): void;
  /** The next answer, which must have a `Content-Length`. */
  answer(): Promise<{ readonly status: number; readonly body: string }>;
  /** Resolves with the data that was not read as an answer, once the server has closed the connection. */
  readonly closed: Promise<string>;
  end(): void;
}

const ANSWER = /^HTTP\/1\.1 (\d{3}).*?content-length: (\d+).*?\r\n\r\n/is;

/** Opens a connection to the server behind a URL. */
export function openWire(url: string): Wire {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(received));
  });
  return {
    closed,
    send: (text) => void socket.write(text),
    end: () => void socket.destroy(),
    async answer() {
      return until(async () => {
        const [head = '', status, length] = ANSWER.exec(received) ?? [];
        const end = head.length + Number(length);
        if (head === '' || received.length < end) return null;
        const body = received.slice(head.length, end);
        received = received.slice(end);
        return { status: Number(status), body };
      });
    },
  };
}

/** Looks every 20 milliseconds until there is a result. */
export async function until<T>(look: () => Promise<T | null | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
