import type { Duplex } from 'node:stream';

/** Passes what clients send to the other listeners in small parts. */
export interface PartFeeder {
  /** Takes the place of the listeners for data that a client has so far. */
  start(client: Duplex): void;
  /** Stops without the listeners for data, and returns what was not passed on. */
  stop(client: Duplex): Buffer;
}

const PART_BYTES = 4096;
const NOTHING = Buffer.alloc(0);

/**
 * Creates a feeder for clients of Node's HTTP server. Its parser handles all requests of a chunk before anything else
 * can run, even if their connection is destroyed by the first one. In chunks of 64 KiB, 256 clients could send half a
 * million requests at once and block this process for seconds.
 */
export function createPartFeeder(): PartFeeder {
  const stops = new WeakMap<Duplex, () => Buffer>();
  return {
    start(client) {
      const listeners = client.listeners('data');
      let rest: Buffer = NOTHING;
      const feed = (chunk: Buffer): void => {
        rest = chunk;
        while (rest.length > 0 && !client.destroyed) {
          const part = rest.subarray(0, PART_BYTES);
          rest = rest.subarray(PART_BYTES);
          for (const listener of listeners) listener.call(client, part);
        }
      };
      client.removeAllListeners('data');
      client.on('data', feed);
      stops.set(client, () => {
        const left = rest;
        rest = NOTHING;
        client.off('data', feed);
        return left;
      });
    },
    stop: (client) => stops.get(client)?.() ?? NOTHING,
  };
}
