import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Finished } from '../test/harness.ts';

/** A server with an address that runs until it is stopped. */
export interface Answering {
  readonly url: string;
  stop(): Promise<void>;
}

/** The result of a scenario of the conformance suite. */
export interface Outcome {
  readonly scenario: string;
  /** Checks that passed. */
  readonly passed: number;
  /** Ids of the checks that failed or warned. */
  readonly failed: readonly string[];
}

/** Path of a file in this folder. */
export const beside = (name: string): string => new URL(name, import.meta.url).pathname;

const ENV = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TZ: 'UTC', NO_COLOR: '1' };
const TWO_MINUTES = 120_000;

/** Runs a Node program to its end; one that hangs is killed. */
export async function runProgram(
  args: readonly string[],
  { input = '', env = ENV as NodeJS.ProcessEnv, timeoutMs = TWO_MINUTES } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, args, {
    env,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => undefined).end(input);
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [out, error, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  return { code, signal, out, error };
}

/** Folders of the third-party programs, by name; installs missing ones. */
export async function installForeign(timeoutMs: number): Promise<Record<string, string>> {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { code, out, error } = await runProgram([beside('install-foreign.mjs')], {
    env,
    timeoutMs,
  });
  if (code !== 0) throw new Error(`The third-party programs could not be installed: ${error}`);
  return JSON.parse(out) as Record<string, string>;
}

/** Starts the service with the tools that the conformance suite expects. */
export async function startFixtureServer(
  home: string,
  env: Record<string, string>,
): Promise<Answering> {
  const child = spawn(process.execPath, [beside('fixture-server.mjs'), home], {
    env: { ...ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stderr = text(child.stderr);
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg, url } = JSON.parse(line) as { msg: string; url: string };
      if (msg === 'listening') resolve(url);
    });
    child.once('exit', async (code) => reject(new Error(`exit ${code}: ${await stderr}`)));
  });
  return { url, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A proxy that adds a token: the conformance suite cannot send one. */
export async function startBearerProxy(target: string, token: string): Promise<Answering> {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    const { method, url: path } = request;
    const headers = { authorization: `Bearer ${token}`, ...request.headers };
    const onward = sendRequest({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Reads the results that the conformance suite wrote to its folder. */
export function readOutcomes(folder: string): Outcome[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name;
      const json = readFileSync(join(folder, name, 'checks.json'), 'utf8');
      const checks = JSON.parse(json) as { id: string; status: string }[];
      const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      return {
        scenario,
        passed: checks.filter(({ status }) => status === 'SUCCESS').length,
        failed: [...new Set(failed.map(({ id }) => id))],
      };
    });
}
