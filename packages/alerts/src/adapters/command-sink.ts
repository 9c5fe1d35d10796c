import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '@svc/core';
import type { Sent, Sink } from '../ports.ts';

export interface CommandSinkOptions {
  /** A program, by its name or its path; no shell reads it. */
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
 * Starts a command with the alert on stdin. Exit code 0 counts. Its process group ends with it; what has left that, as by
 * setsid, goes on.
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
    if (signal.aborted) return resolve({ ok: false, error: 'It was not started.' });
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
      if (late) end({ ok: false, error: `It was not done within ${timeoutMs / 1000} s.` });
      else if (code === 0) end({ ok: true });
      // What it has written just before it ended may still be on its way.
      else void complaint.whole.then(() => end(exited(code, killedBy, complaint.text())));
    });
    // It need not read what it is told.
    child.stdin?.on('error', () => {});
    child.stdin?.end(body);
  });
}

// Some reasons are thrown at once, as an argument that no program can be given.
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
  return { ok: false, error: `It cannot be started (${code}).` };
}

function exited(code: number | null, killedBy: string | null, complaint: string): Sent {
  const how = code === null ? `It was ended by ${killedBy}` : `It ended with code ${code}`;
  return { ok: false, error: complaint === '' ? `${how}.` : `${how}: ${complaint}` };
}

interface Complaint {
  /** Until stderr has ended, or a moment has passed. */
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
    // Nothing is left of it.
  }
}
