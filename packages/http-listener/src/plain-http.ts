import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '@svc/core';

const HANDSHAKE = 0x16;
const CLOSE_TIMEOUT_MS = 2_000;

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
 * Makes a TLS server answer plain HTTP with status 400 and an explanation; by default, Node closes the connection.
 *
 * @param silentMs time limit for the first byte of a connection
 * @returns the connections that have sent nothing yet
 */
export function answerPlainHttp(
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

// Further input is read and discarded: closing a socket with unread input resets the connection, and the client may lose the
// answer.
function refuse(socket: Socket, clock: Clock): void {
  const timer = clock.setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
  socket.once('close', () => clock.clearTimeout(timer));
  socket.once('end', () => socket.destroySoon());
  socket.resume();
  socket.end(ANSWER);
}
