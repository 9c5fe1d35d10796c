import { type ChildProcess, spawn } from 'node:child_process';
import type { Server, Socket } from 'node:net';
import type { SandboxPort } from '../sandbox.ts';

/** Ports that listen inside a sandbox. */
export interface Listeners {
  close(): void;
}

/** How to start a process in the network namespace of a sandbox. */
export interface ListenerDeps {
  /** Absolute path of Node. */
  readonly node: string;
  /** Program and first arguments that enter the network namespace, and then exec the command that follows them. */
  readonly enter: readonly string[];
}

const STARTED_WITHIN_MS = 30_000;
// Listens inside, and passes the listening sockets on. It must keep no copy, or it would take connections.
const HELPER = `
const { createServer } = require('node:net');
const ports = process.argv.slice(1).map(Number);
process.on('disconnect', () => process.exit());
let open = ports.length;
for (const port of ports) {
  const server = createServer();
  server.on('error', (error) => { process.send({ error: error.message }, () => process.exit(1)); });
  server.listen({ port, host: '127.0.0.1', backlog: 511 }, () => {
    process.send({ port }, server, () => { server.close(); open -= 1; if (open === 0) process.disconnect(); });
  });
}`;

/**
 * Opens ports on the loopback interface of another network namespace. Connections arrive in this process.
 *
 * @throws Error if a port cannot be opened.
 */
export async function openListeners(
  { node, enter }: ListenerDeps,
  ports: readonly SandboxPort[],
): Promise<Listeners> {
  if (ports.length === 0) return { close: () => {} };
  const [program = '', ...args] = [
    ...enter,
    node,
    '-e',
    HELPER,
    ...ports.map(({ port }) => String(port)),
  ];
  const helper = spawn(program, args, {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'json',
  });
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const close = (): void => {
    helper.kill('SIGKILL');
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  };
  try {
    await received(helper, ports, (port, server) => {
      servers.push(server);
      server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        // A connection that fails is closed as well.
        socket.on('error', () => {});
        port.accept(socket);
      });
    });
  } catch (error) {
    close();
    throw error;
  }
  return { close };
}

function received(
  helper: ChildProcess,
  ports: readonly SandboxPort[],
  take: (port: SandboxPort, server: Server) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const missing = new Map(ports.map((port) => [port.port, port]));
    let errors = '';
    const timer = setTimeout(() => fail('it did not start in time'), STARTED_WITHIN_MS);
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new Error(`The network of the sandbox could not be opened: ${reason}.`));
    };
    helper.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-1000);
    });
    helper.once('error', (error) => fail(error.message));
    helper.once('exit', () => {
      if (missing.size > 0) fail(errors.trim().split('\n').at(-1) || 'its helper exited');
    });
    helper.on('message', (message: { readonly port?: number; readonly error?: string }, handle) => {
      if (message.error !== undefined) return fail(message.error);
      const port = missing.get(message.port ?? 0);
      if (port === undefined || handle === undefined) return;
      missing.delete(port.port);
      take(port, handle as Server);
      if (missing.size > 0) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
