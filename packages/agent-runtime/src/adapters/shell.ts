import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type Clock, failure, messageInWords, type Result, success } from '@svc/core';
import { isExecutable } from '@svc/sandbox';
import { type AgentUser, folderAccessDenied } from '../agent-user.ts';
import { firstOf } from '../first-of.ts';
import { createCollector, MAX_RESULT_BYTES } from '../output.ts';
import type { ProcessReaper } from '../processes.ts';
import type { Shell, ShellEnd } from '../shell.ts';
import { markingScript } from '../turn-mark.ts';
import type { TurnSandbox } from '../turn-sandboxes.ts';
import { codeOf } from './error-code.ts';
import { spawnShell } from './spawn-shell.ts';

/** Dependencies of the shell of a turn. */
export interface ShellDeps {
  readonly clock: Clock;
  readonly reaper: ProcessReaper;
}

/** How the commands of a turn run. */
export interface ShellPlace {
  readonly turnId: string;
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The user for commands; null for the user of this process. */
  readonly user: AgentUser | null;
  /** Opens the sandbox of the turn, for its first command; null for no sandbox. The error is one sentence. */
  readonly sandbox: () => Promise<Result<TurnSandbox | null, string>>;
}

const SHELLS = ['/bin/bash', '/bin/sh'];
// Leaves room for the status line of the result.
const MAX_OUTPUT_BYTES = MAX_RESULT_BYTES - 1024;
// How long to wait for output that a background process may still hold open.
const DRAIN_MS = 250;
// One pipe for both streams keeps their order without changing the command.
const ONE_STREAM = 'exec "$0" -c "$1" 2>&1';
// The shell enters the folder after the user switch, so that the rights of that user apply.
const ENTER_FIRST = `cd -P "$2" 2>/dev/null || { echo "$3"; exit 126; }; ${ONE_STREAM}`;

const END_KINDS = { aborted: 'stopped', timed_out: 'timed_out' } as const;
const QUIET: StdioOptions = ['ignore', 'pipe', 'ignore'];
// setpriv reports its own errors on stderr.
const HEARD: StdioOptions = ['ignore', 'pipe', 'pipe'];

type Exit = { readonly code: number | null; readonly signal: string | null };

interface Started {
  /** Leader of the command's process group. */
  readonly leader: number;
  /** Its output. */
  readonly pipe: Readable;
  /** Resolves at the exit of the shell itself. */
  readonly exit: Promise<Exit>;
  /** Resolves when no process holds its output open any more. */
  readonly closed: Promise<void>;
}

/** Opens the shell of a turn: bash, or sh if there is no bash. */
export function openShell({ clock, reaper }: ShellDeps, place: ShellPlace): Shell {
  const groups: number[] = [];
  let since: number | null = null;
  // Output is read until the turn ends, so that background processes neither block nor fail on writes.
  const pipes: Readable[] = [];
  return {
    async run(command, signal) {
      if (signal.aborted) return { kind: 'stopped', output: '' };
      const output = createCollector(MAX_OUTPUT_BYTES);
      if (groups.length === 0) since = reaper.forks();
      const started = await start(command.command, place, (chunk) => output.add(chunk));
      if (!started.ok) return { kind: 'not_started', reason: started.error };
      const { leader, pipe, exit, closed } = started.value;
      groups.push(leader);
      pipes.push(pipe);
      const how = await firstOf(clock, command.timeoutMs, signal, exit);
      if (how === 'aborted') await reaper.endTurns([place.turnId], { groups, since });
      if (how === 'timed_out') await reaper.endGroup(leader);
      // Upper limit for a process that even SIGKILL does not end.
      if (how !== 'settled') await firstOf(clock, DRAIN_MS, null, exit);
      await firstOf(clock, DRAIN_MS, null, closed);
      if (how === 'settled') return endOf(await exit, output.text());
      return { kind: END_KINDS[how], output: output.text() };
    },
    async close() {
      if (groups.length > 0) await reaper.endTurns([place.turnId], { groups, since });
      for (const pipe of pipes) pipe.destroy();
    },
  };
}

async function start(
  command: string,
  place: ShellPlace,
  on: (chunk: Buffer) => void,
): Promise<Result<Started, string>> {
  const sandbox = await place.sandbox();
  if (!sandbox.ok) return sandbox;
  const spawned = spawnIn(place, sandbox.value, SHELLS.find(isExecutable) ?? '/bin/sh', command);
  if (!spawned.ok) return failure(sentenceOf(spawned.error));
  const child = spawned.value;
  if (child.pid === undefined) {
    const [error] = await once(child, 'error');
    return failure(sentenceOf(error));
  }
  const pipe = child.stdout ?? Readable.from([]);
  pipe.on('data', on);
  child.stderr?.on('data', on);
  // An error after the start, such as a failed signal, is ignored because the exit event still follows.
  child.on('error', () => {});
  const exit = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  return success({ leader: child.pid, pipe, exit, closed });
}

function spawnIn(
  place: ShellPlace,
  sandbox: TurnSandbox | null,
  shell: string,
  command: string,
): Result<ChildProcess, unknown> {
  try {
    const { env, cwd, user } = place;
    const mark = markingScript(place.turnId);
    if (sandbox === null && user === null) {
      const args = ['-c', mark + ONE_STREAM, shell, command];
      return success(spawn('/bin/sh', args, { cwd, env, detached: true, stdio: QUIET }));
    }
    const folder = sandbox?.folder ?? cwd;
    const args = ['-c', mark + ENTER_FIRST, shell, command, folder, folderAccessDenied(user)];
    return success(spawnShell(args, { env, user, sandbox, stdio: HEARD }));
  } catch (error) {
    return failure(error);
  }
}

function sentenceOf(error: unknown): string {
  return codeOf(error) === 'E2BIG'
    ? 'The command or environment exceeds the system limit (128 KiB). Use a file.'
    : `The shell could not be started in the project folder: ${messageInWords(error)}.`;
}

function endOf(exit: Exit, output: string): ShellEnd {
  return exit.signal === null
    ? { kind: 'exited', code: exit.code ?? 0, output }
    : { kind: 'signalled', signal: exit.signal, output };
}
