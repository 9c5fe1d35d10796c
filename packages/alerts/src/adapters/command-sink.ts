import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '@svc/core';
import type { Sent, Sink } from '../ports.ts';

export interface CommandSinkOptions {
  /** The name or path of a program. No shell is involved. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: 30 seconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 4096;
const LONGEST_LINE = 200;

/**
 * Runs a command with the alert on stdin. Exit code 0 means success. The process group is killed at the end;
 * processes that have left it, for example through setsid, keep running.
 */
export function createCommandSink(clock: Clock, options: CommandSinkOptions): Sink {
  return { send: ({ body }, signal) => runOnce(clock, options, body, signal) };
}

function runOnce(
  clock: Clock,
  options: CommandSinkOptions,
  body: string,
  signal: AbortSignal,
): Promise<Sent> {
  const { timeoutMs = TIMEOUT_MS } = options;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ ok: false, error: 'The command was not started.' });
    const { child, fault } = started(options);
    if (child === null) return resolve(fault);
    let late = false;
    const complaint = firstBytes(child);
    const stop = (): void => killGroup(child);
    const timer = clock.setTimeout(() => {
      late = true;
      stop();
    }, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    const end = (sent: Sent): void => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      stop();
      child.stderr?.destroy();
      resolve(sent);
    };
    child.once('error', (error: NodeJS.ErrnoException) => end(unstarted(error)));
    child.once('exit', (code, killedBy) => {
      if (late) end({ ok: false, error: `The command timed out after ${timeoutMs / 1000} s.` });
      else if (code === 0) end({ ok: true });
      // Output written just before the exit may still be in transit.
      else void complaint.whole.then(() => end(exited(code, killedBy, complaint.text())));
    });
    // The command does not have to read its stdin.
    child.stdin?.on('error', () => {});
    child.stdin?.end(body);
  });
}

// Some failures are thrown synchronously, such as an argument that contains a null byte.
function started({ command, args, cwd, env }: CommandSinkOptions) {
  try {
    const child = spawn(command, args, {
      ...{ cwd, env, shell: false, detached: true },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    return { child, fault: null };
  } catch (error) {
    return { child: null, fault: unstarted(error as NodeJS.ErrnoException) };
  }
}

function unstarted({ code = 'unknown' }: NodeJS.ErrnoException): Sent {
  return { ok: false, error: `The command could not be started (${code}).` };
}

function exited(code: number | null, killedBy: string | null, complaint: string): Sent {
  const how =
    code === null
      ? `The command was killed by ${killedBy}`
      : `The command exited with code ${code}`;
  return { ok: false, error: complaint === '' ? `${how}.` : `${how}: ${complaint}` };
}

interface Complaint {
  /** Resolves when stderr has ended, or shortly after. */
  readonly whole: Promise<void>;
  text(): string;
}

function firstBytes({ stderr }: ChildProcess): Complaint {
  let text = '';
  stderr?.setEncoding('utf8');
  stderr?.on('data', (chunk: string) => {
    text = (text + chunk).slice(0, MOST_BYTES);
  });
  return {
    whole: new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
    text: () => {
      const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
      return line
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, LONGEST_LINE);
    },
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}
