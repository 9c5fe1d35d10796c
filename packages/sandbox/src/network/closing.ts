import type { Duplex } from 'node:stream';
import type { Clock } from '@svc/core';

/**
 * Closes the connection of a client after its last bytes.
 *
 * A connection that is closed with unread bytes is reset, and the client would lose what it has not read yet. So the
 * rest of its bytes is read and dropped until it ends its side, for at most 10 s and 64 MiB.
 */
export type CloseClient = (client: Duplex, last?: Buffer) => void;

const DRAIN_WITHIN_MS = 10_000;
const DRAIN_BYTES = 64 * 1024 * 1024;

/** Creates a function that closes clients. */
export function createCloser(clock: Clock): CloseClient {
  const closing = new WeakSet<Duplex>();
  return (client, last) => {
    if (closing.has(client) || client.destroyed) return;
    closing.add(client);
    if (client.writable) client.end(last);
    const destroy = (): void => {
      client.destroy();
    };
    whenWritten(client, () => {
      const timer = clock.setTimeout(destroy, DRAIN_WITHIN_MS);
      client.once('close', () => clock.clearTimeout(timer));
      if (client.readableEnded) destroy();
    });
    drain(client, destroy);
  };
}

function whenWritten(client: Duplex, done: () => void): void {
  if (client.writableFinished) done();
  else client.once('finish', done);
}

function drain(client: Duplex, destroy: () => void): void {
  let left = DRAIN_BYTES;
  client.resume();
  // Node's HTTP server forwards the resumption to the socket only until another listener reads the data.
  process.nextTick(() => {
    // Its parser would report an error for each chunk.
    for (const event of ['data', 'readable', 'end']) client.removeAllListeners(event);
    client.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) destroy();
    });
    client.once('end', () => {
      if (client.writableFinished) destroy();
    });
    client.resume();
  });
}
