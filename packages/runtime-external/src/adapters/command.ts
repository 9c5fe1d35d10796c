import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import {
  type AgentUser,
  complaintOf,
  folderAccessDenied,
  markingScript,
  type ProcessReaper,
} from '@svc/agent-runtime';
import { type Clock, failure, messageInWords, type Result, success } from '@svc/core';
import { firstOf } from './first-of.ts';
import { lacksInterpreter } from './interpreter.ts';

/** What it takes to run a command. */
export interface CommandDeps {
  readonly clock: Clock;
  readonly reaper: ProcessReaper;
}

/** What to run, where and as whom. */
export interface CommandPlace {
  readonly turnId: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; holds `SVC_TURN_ID`. */
  readonly env: Readonly<Record<string, string>>;
  /** null for the user of this process. */
  readonly user: AgentUser | null;
}

/** How a process ended: by itself with a code, or by a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A command that runs. */
export interface Command {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has ended and, as far as nothing that it left behind holds it open, its output was read. */
  readonly exit: Promise<Exit>;
  /** What its error output says last, in one line; `''` for nothing. */
  complaint(): string;
  /** Ends it and everything that it has started; resolves when all of that is gone. */
  end(): Promise<void>;
}

// How long output is awaited that a process in the background may still hold open.
const DRAIN_MS = 250;
const TAIL_BYTES = 8 * 1024;
const PIPES: StdioOptions = ['pipe', 'pipe', 'pipe'];
// Another user enters the folder itself, so that its own rights count; what follows is handed on word for word.
const ENTER_FIRST = 'cd -P "$0" 2>/dev/null || { echo "$1" >&2; exit 126; }; shift; exec "$@"';
// Without what a shell adds to an environment by itself.
const RUN = 'unset PWD OLDPWD SHLVL; exec "$@"';

/** Starts a command in a folder; fails with one sentence. */
export async function startCommand(
  deps: CommandDeps,
  place: CommandPlace,
): Promise<Result<Command, string>> {
  const folder = await stat(place.cwd).catch(() => null);
  if (folder === null || !folder.isDirectory()) {
    return failure('The project folder does not exist.');
  }
  if (await lacksInterpreter(place.program)) {
    return failure(startFault(place, 'what its first line names to run it does not exist'));
  }
  const since = deps.reaper.forks();
  const spawned = spawnIn(place);
  if (!spawned.ok) return failure(startFault(place, wordsOf(spawned.error)));
  const child = spawned.value;
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || stdin === null || stdout === null || stderr === null) {
    const [error] = await once(child, 'error');
    return failure(startFault(place, wordsOf(error)));
  }
  // A command that ends before it has read everything is no fault of its own.
  stdin.on('error', () => {});
  // A signal that could not be sent changes nothing: the exit still comes.
  child.on('error', () => {});
  const tail = tailOf(stderr);
  let ending: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    await deps.reaper.endTurns([place.turnId], { groups: [pid], since });
    for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
  };
  return success({
    stdin,
    stdout,
    exit: exitOf(deps.clock, child),
    complaint: () => complaintOf(tail()),
    end() {
      ending ??= end();
      return ending;
    },
  });
}

function spawnIn(place: CommandPlace): Result<ChildProcess, unknown> {
  const { turnId, program, args, cwd, env, user } = place;
  const mark = markingScript(turnId);
  try {
    if (user === null) {
      const marked = ['-c', mark + RUN, 'sh', program, ...args];
      return success(spawn('/bin/sh', marked, { cwd, env, detached: true, stdio: PIPES }));
    }
    const [first, ...prefix] = user.prefix;
    const entering = [
      '/bin/sh',
      '-c',
      mark + ENTER_FIRST,
      cwd,
      folderAccessDenied(user),
      program,
      ...args,
    ];
    return success(
      spawn(first, [...prefix, ...entering], { cwd: '/', env, detached: true, stdio: PIPES }),
    );
  } catch (error) {
    return failure(error);
  }
}

function startFault({ program }: CommandPlace, why: string): string {
  return `The command ${program} could not be started: ${why}.`;
}

function wordsOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return code === 'E2BIG'
    ? 'its arguments and environment are longer than the system takes'
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
