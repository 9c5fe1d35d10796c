import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '@svc/core';

const HANDSHAKE = 0x16;
const GOODBYE_MS = 2_000;

const BODY = `${JSON.stringify({
  error: 'This port uses https. Start the address with https://.',
  code: 'invalid',
})}\n`;
const ANSWER = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${Buffer.byteLength(BODY)}`,
  'Connection: close',
  '',
  BODY,
].join('\r\n');

/**
 * Has a TLS server answer plain HTTP with 400 and a sentence, where Node would just close the connection.
 *
 * @param silentMs how long a connection may stay silent
 * @returns the connections of which nothing has been heard yet
 */
export function answerPlainText(
  server: Server,
  clock: Clock,
  silentMs: number,
): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  const [handshake] = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => silent.delete(socket));
    const giveUp = (): void => void socket.destroy();
    socket.setTimeout(silentMs, giveUp);
    socket.once('readable', () => {
      silent.delete(socket);
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return giveUp();
      socket.setTimeout(0);
      socket.off('timeout', giveUp);
      if (bytes[0] !== HANDSHAKE) return refuse(socket, clock);
      socket.unshift(bytes);
      handshake?.call(server, socket);
    });
  });
  return silent;
}

// What still comes is read, or else the client might see its connection reset before it has read the answer.
function refuse(socket: Socket, clock: Clock): void {
  const timer = clock.setTimeout(() => socket.destroy(), GOODBYE_MS);
  socket.once('close', () => clock.clearTimeout(timer));
  socket.once('end', () => socket.destroySoon());
  socket.resume();
  socket.end(ANSWER);
}
