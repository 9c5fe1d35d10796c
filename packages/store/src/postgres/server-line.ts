import { isIP, type Socket } from 'node:net';
import pg from 'pg';
import type { Line } from './server-watch.ts';

/** Creates the connection for checks whether a server is reachable. */
export function createServerLine(settings: pg.ClientConfig, createSocket: () => Socket): Line {
  let state: Line['state'] = 'connecting';
  let socket: Socket | null = null;
  const stream = (): Socket => {
    socket = createSocket();
    socket.once('lookup', () => {
      if (state === 'looking_up') state = 'connecting';
    });
    return socket;
  };
  const client = new pg.Client({ ...settings, application_name: 'svc watch', stream });
  client.on('error', () => {});
  // An IP address or a socket folder needs no name lookup.
  const isNamed = isIP(client.host) === 0 && !client.host.startsWith('/');
  let connecting: Promise<unknown> | null = null;
  const connect = async (): Promise<void> => {
    if (isNamed) state = 'looking_up';
    await client.connect();
    state = 'open';
  };
  return {
    get state() {
      return state;
    },
    async ask() {
      connecting ??= connect();
      await connecting;
      await client.query('select 1');
    },
    async close() {
      await client.end().catch(() => {});
    },
    cut() {
      client.end().catch(() => {});
      socket?.destroy();
    },
  };
}
