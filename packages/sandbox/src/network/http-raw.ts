import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CloseClient } from './closing.ts';

/** Writes the head of an HTTP/1.1 response to a connection that Node's server has released. */
export function sendHead(
  client: Duplex,
  status: number,
  message: string,
  headers: readonly (readonly [name: string, value: string])[],
): void {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  client.write(`HTTP/1.1 ${status} ${message}\r\n${lines}\r\n`, 'latin1');
}

/** Writes a response with a text of one line, and closes the connection. */
export function sendError(
  close: CloseClient,
  client: Duplex,
  status: number,
  reason: string,
): void {
  if (!client.writable) {
    close(client);
    return;
  }
  const body = Buffer.from(`${reason}\n`);
  sendHead(client, status, STATUS_CODES[status] ?? '', [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Length', String(body.length)],
    ['Connection', 'close'],
  ]);
  close(client, body);
}
