import { type ChildProcess, spawn } from 'node:child_process';
import type { SpawnedProcess, SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { type AgentUser, markingScript, spawnShell, type TurnSandbox } from '@svc/agent-runtime';

/** The agent program of a turn. */
export interface AgentProcess {
  /** Starts the program. Called by the SDK. */
  spawn(options: SpawnOptions): SpawnedProcess;
  /** Its process group; null before the start. */
  readonly group: number | null;
  /** Resolves when it has exited, immediately if it was never started. */
  readonly exited: Promise<void>;
  /** The end of its error output. */
  readonly stderrTail: string;
}

const MAX_TAIL_LENGTH = 4096;
// Changing to the folder as the other user checks the rights of that user.
const ENTER_FIRST = 'cd -P "$0" || exit 126; exec "$@"';
// The shell adds these variables to the environment.
const RUN = 'unset PWD OLDPWD SHLVL; exec "$0" "$@"';

/** Prepares the agent program of a turn, with the mark of the turn and its own process group. `user` null: the current user. `sandbox` null: none. */
export function createAgentProcess(
  turnId: string,
  user: AgentUser | null,
  sandbox: TurnSandbox | null,
): AgentProcess {
  let child: ChildProcess | null = null;
  let stderrTail = '';
  let onExit = (): void => {};
  const exited = new Promise<void>((resolve) => {
    onExit = resolve;
  });
  return {
    spawn(options) {
      const started = startProgram(options, markingScript(turnId), user, sandbox);
      child = started;
      started.once('exit', onExit);
      started.once('error', onExit);
      started.stderr?.on('data', (chunk: Buffer) => {
        stderrTail = (stderrTail + chunk.toString()).slice(-MAX_TAIL_LENGTH);
      });
      options.signal.addEventListener('abort', () => started.kill('SIGTERM'), { once: true });
      return started as SpawnedProcess;
    },
    get group() {
      return child?.pid ?? null;
    },
    get exited() {
      return child === null ? Promise.resolve() : exited;
    },
    get stderrTail() {
      return stderrTail;
    },
  };
}

function startProgram(
  options: SpawnOptions,
  mark: string,
  user: AgentUser | null,
  sandbox: TurnSandbox | null,
): ChildProcess {
  const { command, args, cwd = '/' } = options;
  const stdio = 'pipe';
  if (user === null && sandbox === null) {
    const { env } = options;
    return spawn('/bin/sh', ['-c', mark + RUN, command, ...args], {
      cwd,
      env,
      detached: true,
      stdio,
    });
  }
  const env = Object.fromEntries(
    Object.entries(options.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const shell = ['-c', mark + ENTER_FIRST, cwd, command, ...args];
  return spawnShell(shell, { env, user, sandbox, stdio });
}
