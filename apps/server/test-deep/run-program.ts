import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { flat } from '../test/readme-examples.ts';

/** The outcome of a finished program. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** Where and how a program is run. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program that keeps running. */
export interface Going {
  readonly process: ChildProcess;
  readonly output: () => string;
  /** Waits until its output matches; line breaks do not matter. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** Ends it and its child processes. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs a program to its end. */
export async function runProgram(command: string, args: string[], place: Place): Promise<Ended> {
  const going = startProgram(command, args, place);
  return { code: await going.ended, out: going.output() };
}

/** Starts a program as the leader of a process group. */
export function startProgram(command: string, args: string[], { cwd, env }: Place): Going {
  const child = spawn(command, args, { cwd, env, detached: true });
  let out = '';
  const heard = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    out += chunk;
    for (const tell of heard) tell();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const closed = once(child, 'close').then(([code]) => {
    for (const tell of heard) tell();
    return code as number | null;
  });
  return {
    process: child,
    output: () => out,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(flat(out));
          if (found === null && child.exitCode === null && child.signalCode === null) return;
          heard.delete(look);
          if (found === null) reject(new Error(`It ended without writing ${pattern}:\n${out}`));
          else resolve(found);
        };
        heard.add(look);
        look();
      }),
    ended: closed,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, signal);
      return closed;
    },
  };
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
