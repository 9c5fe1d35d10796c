import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import {
  type AgentUser,
  firstOf,
  folderAccessDenied,
  lastErrorLine,
  markingScript,
  type ProcessReaper,
  spawnShell,
  type TurnSandbox,
} from '@svc/agent-runtime';
import { type Clock, failure, messageInWords, type Result, success } from '@svc/core';
import { lacksInterpreter } from './lacks-interpreter.ts';

/** Dependencies of `startCommand`. */
export interface CommandDeps {
  readonly clock: Clock;
  readonly reaper: ProcessReaper;
}

/** The command to run, its folder and its user. */
export interface CommandOptions {
  readonly turnId: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment. Contains `SVC_TURN_ID`. */
  readonly env: Readonly<Record<string, string>>;
  /** null for the user of this process. */
  readonly user: AgentUser | null;
  /** Ended together with the command; null for none. */
  readonly sandbox: TurnSandbox | null;
}

/** How a process ended: with an exit code or by a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running command. */
export interface Command {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the process has exited and its output was read, or soon after if a child keeps the output open. */
  readonly exit: Promise<Exit>;
  /** The last line of its error output; `''` if there is none. */
  lastErrorLine(): string;
  /** Kills the command and all processes that it started. Resolves when they have exited. */
  end(): Promise<void>;
}

// A process in the background may keep the output open after the command has exited.
const DRAIN_MS = 250;
const TAIL_BYTES = 8 * 1024;
const PIPES: StdioOptions = ['pipe', 'pipe', 'pipe'];
// Changing to the folder as the other user checks the rights of that user. The arguments are passed on unchanged.
const ENTER_FIRST = 'cd -P "$0" 2>/dev/null || { echo "$1" >&2; exit 126; }; shift; exec "$@"';
// The shell adds these variables to the environment.
const RUN = 'unset PWD OLDPWD SHLVL; exec "$@"';

/** Starts a command in a folder. The error is one sentence. */
export async function startCommand(
  deps: CommandDeps,
  options: CommandOptions,
): Promise<Result<Command, string>> {
  const folder = await stat(options.cwd).catch(() => null);
  if (folder === null || !folder.isDirectory()) {
    return failure('The project folder does not exist.');
  }
  if (await lacksInterpreter(options.program)) {
    return failure(startError(options, 'the interpreter in its first line does not exist'));
  }
  const since = deps.reaper.forks();
  const spawned = spawnCommand(options);
  if (!spawned.ok) return failure(startError(options, spawnProblem(spawned.error)));
  const child = spawned.value;
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || stdin === null || stdout === null || stderr === null) {
    const [error] = await once(child, 'error');
    return failure(startError(options, spawnProblem(error)));
  }
  // A command may exit without reading all of its input.
  stdin.on('error', () => {});
  // A signal that could not be sent is harmless: the process still exits.
  child.on('error', () => {});
  const tail = tailOf(stderr);
  let ending: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    await options.sandbox?.close();
    await deps.reaper.endTurns([options.turnId], { groups: [pid], since });
    for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
  };
  return success({
    stdin,
    stdout,
    exit: exitOf(deps.clock, child),
    lastErrorLine: () => lastErrorLine(tail()),
    end() {
      ending ??= end();
      return ending;
    },
  });
}

function spawnCommand(options: CommandOptions): Result<ChildProcess, unknown> {
  const { turnId, program, args, cwd, env, user, sandbox } = options;
  const mark = markingScript(turnId);
  try {
    if (user === null && sandbox === null) {
      const marked = ['-c', mark + RUN, 'sh', program, ...args];
      return success(spawn('/bin/sh', marked, { cwd, env, detached: true, stdio: PIPES }));
    }
    const folder = sandbox?.folder ?? cwd;
    const shell = ['-c', mark + ENTER_FIRST, folder, folderAccessDenied(user), program, ...args];
    return success(spawnShell(shell, { env, user, sandbox, stdio: PIPES }));
  } catch (error) {
    return failure(error);
  }
}

function startError({ program }: CommandOptions, why: string): string {
  return `The command ${program} could not be started: ${why}.`;
}

function spawnProblem(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return code === 'E2BIG'
    ? 'its arguments and environment exceed the system limit'
    : messageInWords(error);
}

async function exitOf(clock: Clock, child: ChildProcess): Promise<Exit> {
  const closed = once(child, 'close');
  const exit = await new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await firstOf(clock, DRAIN_MS, null, closed);
  return exit;
}

function tailOf(stream: Readable): () => string {
  let tail: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    const whole = chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([tail, chunk]);
    tail = Buffer.from(whole.subarray(Math.max(0, whole.length - TAIL_BYTES)));
  });
  return () => tail.toString();
}
