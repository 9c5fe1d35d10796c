import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';

const ADDRESSES = 3;

/** Listeners of this machine. */
export interface Listeners {
  /** What was reached: `tcp`, `udp`, `file` or `name`, once per connection or packet. */
  readonly reached: string[];
  /** Where they are, as variables of the attack. */
  readonly targets: Readonly<Record<string, string | number>>;
  close(): Promise<void>;
}

/** Listens on all addresses of this machine, on a socket file in a folder, and on an abstract socket. */
export async function openListeners(folder: string): Promise<Listeners> {
  const reached: string[] = [];
  const [file, name] = [join(folder, 'docker.sock'), basename(folder)];
  const serverOf = (what: string) =>
    createServer((socket) => {
      reached.push(what);
      socket.on('error', () => {});
      // A socket with unread data would not close.
      socket.resume().end('reached\n');
    });
  const servers = [
    serverOf('tcp').listen(0),
    serverOf('file').listen(file),
    serverOf('name').listen(`\0${name}`),
  ] as const;
  const udp = createSocket('udp4', (_message, { address, port }) => {
    reached.push('udp');
    udp.send('reached', port, address);
  });
  udp.bind(0);
  await Promise.all([...servers, udp].map((one) => once(one, 'listening')));
  return {
    reached,
    targets: {
      LISTENER_PORT: (servers[0].address() as AddressInfo).port,
      UDP_PORT: udp.address().port,
      ...{ SOCKET_FILE: file, ABSTRACT_NAME: name, MACHINE: machineNames().join(' ') },
    },
    async close() {
      udp.close();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

/** The name of this machine, and addresses that others reach. */
function machineNames(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const outer = all.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0);
  return [hostname(), ...outer.map(({ address }) => address).slice(0, ADDRESSES)];
}
