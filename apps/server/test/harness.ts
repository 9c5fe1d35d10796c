import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The program under test. */
export const BIN = new URL('../bin/svc.js', import.meta.url).pathname;

/** The outcome of a finished command. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
}

/** Settings for tests whose agents leave their project, or whose processes are observed from outside. */
export const WITHOUT_SANDBOX = 'agents: { sandbox: { mode: off } }\n';

/** Like `withHome`, with agents that run without a sandbox. */
export function withUnsandboxedHome(test: (home: TestHome) => Promise<void>): Promise<void> {
  return withHome(async (home) => {
    home.write('svc.config.yaml', WITHOUT_SANDBOX);
    await test(home);
  });
}

/** A server in its own process. */
export interface Running {
  readonly url: string;
  readonly process: ChildProcess;
  /** Its log lines, except those in `fences`, which arrive at any time, and in `sandboxes`, which vary by machine. */
  readonly lines: Record<string, unknown>[];
  /** Its log lines about the self-tests of runtimes. */
  readonly fences: Record<string, unknown>[];
  /** Its log lines about sandboxes at the start. */
  readonly sandboxes: Record<string, unknown>[];
  readonly stderr: () => string;
  get(path: string): Promise<{ status: number; body: never; headers: Headers }>;
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: never }>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A home folder with helpers; after the test its servers are stopped and it is removed. */
export interface TestHome {
  readonly home: string;
  write(path: string, text: string): void;
  read(path: string): string;
  /** As `read`, but empty when the file does not exist. */
  tryRead(path: string): string;
  /** Runs another Node program and waits for its end. */
  node(...args: string[]): Promise<Finished>;
  run(...args: string[]): Promise<Finished>;
  serve(env?: Record<string, string>, ...args: string[]): Promise<Running>;
  /** The same, started through a program that replaces itself with the server. */
  serveThrough(through: readonly string[], env?: Record<string, string>): Promise<Running>;
}

const ENV = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TZ: 'UTC' };

/** A home folder that stays until it is closed. */
export interface OpenHome extends TestHome {
  /** Stops every server in it and removes it. */
  close(): Promise<void>;
}

/** Creates an empty home folder, for servers that several tests share. */
export function openHome(): OpenHome {
  const home = mkdtempSync(join(tmpdir(), 'svc-home-'));
  const servers: Running[] = [];
  const serve = async (env: Record<string, string>, args: string[], through: readonly string[]) => {
    mkdirSync(join(home, 'projects'), { recursive: true });
    const server = await startServer(home, env, args, through);
    servers.push(server);
    return server;
  };
  return {
    home,
    write(path, text) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    },
    read: (path) => readFileSync(join(home, path), 'utf8'),
    tryRead: (path) => {
      const file = join(home, path);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    },
    node: (...args) => runNode(args),
    run: (...args) => runCommand([...args, '--home', home]),
    serve: (env = {}, ...args) => serve(env, args, []),
    serveThrough: (through, env = {}) => serve(env, [], through),
    async close() {
      for (const server of servers) {
        const { exitCode, signalCode } = server.process;
        if (exitCode === null && signalCode === null) await server.stop('SIGKILL');
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export async function withHome(test: (home: TestHome) => Promise<void>): Promise<void> {
  const home = openHome();
  try {
    await test(home);
  } finally {
    await home.close();
  }
}

// A command that does not exit must not outlive its test.
const LONGEST_COMMAND_MS = 30_000;

/**
 * Runs a command and returns its output. In unit tests, commands other than `serve` run in this process, which has loaded
 * their code already; deep tests start the built program for each command.
 */
export async function runCommand(
  args: string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const isAlone = process.env['SVC_TEST_COMMANDS'] !== 'in-process';
  if (isAlone || args[0] === 'serve' || 'TZ' in env)
    return runNode([BIN, ...args], env, LONGEST_COMMAND_MS);
  const { runLines } = await import('./in-process.ts');
  const options = { env: { ...ENV, ...env }, repository: REPOSITORY };
  const { code, out, error } = await runLines(args, options);
  const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  return { code, signal: null, out: textOf(out), error: textOf(error) };
}

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

async function runNode(args: string[], env = {}, timeout = 0): Promise<Finished> {
  const child = spawn(process.execPath, args, { env: { ...ENV, ...env }, timeout });
  let out = '';
  let error = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (error += chunk));
  const [code, signal] = await once(child, 'close');
  return { code, signal, out, error };
}

async function startServer(
  home: string,
  env: Record<string, string>,
  args: string[],
  through: readonly string[],
): Promise<Running> {
  const command = [process.execPath, BIN, 'serve', '--home', home, '--port', '0', ...args];
  const [program = '', ...rest] = [...through, ...command];
  const child = spawn(program, rest, { env: { ...ENV, ...env } });
  const lines: Record<string, unknown>[] = [];
  const fences: Record<string, unknown>[] = [];
  const sandboxes: Record<string, unknown>[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      const message = String(line['msg']);
      const isFence = message.startsWith('runtime self-test ');
      (isFence
        ? fences
        : /^(?:agents run (?:in|without) a sandbox|sandboxes are required)/.test(message)
          ? sandboxes
          : lines
      ).push(line);
      if (line['msg'] === 'listening') resolve(String(line['url']));
    });
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${stderr}`)));
  });
  const send: Running['send'] = async (method, path, body) => {
    const json = { 'content-type': 'application/json' };
    const options = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, ...options });
    return { status: response.status, body: (await response.json()) as never };
  };
  return {
    url,
    process: child,
    lines,
    sandboxes,
    fences,
    stderr: () => stderr,
    send,
    async get(path) {
      const response = await fetch(url + path);
      const text = await response.text();
      const json = response.headers.get('content-type')?.includes('json');
      return {
        status: response.status,
        body: (json ? JSON.parse(text) : text) as never,
        headers: response.headers,
      };
    },
    async stop(signal = 'SIGTERM') {
      // Its last lines may arrive after its exit.
      const ended = Promise.all([once(child, 'exit'), once(child.stdout, 'close')]);
      child.kill(signal);
      const [[code]] = await ended;
      return code;
    },
  };
}

/** Polls until the result is truthy, for half a minute or the given number of seconds. */
export async function until<T>(
  look: () => Promise<T | null | undefined | false>,
  seconds = 30,
): Promise<T> {
  for (let n = 0; n < seconds * 20; n += 1) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`timed out after ${seconds} s waiting for ${look}`);
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
