import { type ChildProcess, spawn } from 'node:child_process';
import type { SpawnedProcess, SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { type AgentUser, markingScript } from '@svc/agent-runtime';

/** The agent's program while a turn runs. */
export interface AgentProcess {
  /** What the SDK starts it with. */
  spawn(options: SpawnOptions): SpawnedProcess;
  /** Leader of its process group; null before the start. */
  readonly group: number | null;
  /** Resolves when it is gone, at once where it was never started. */
  readonly gone: Promise<void>;
  /** The end of what it wrote on its error output. */
  readonly complaints: string;
}

const MAX_COMPLAINTS = 4096;
// Another user enters the folder itself, so that its own rights count.
const ENTER_FIRST = 'cd -P "$0" || exit 126; exec "$@"';
// Without what a shell adds to an environment by itself.
const RUN = 'unset PWD OLDPWD SHLVL; exec "$0" "$@"';

/** Prepares it, marked and in a process group of its own, as another user where one is given. */
export function createAgentProcess(turnId: string, user: AgentUser | null): AgentProcess {
  let child: ChildProcess | null = null;
  let complaints = '';
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  return {
    spawn(options) {
      const started = startProgram(options, markingScript(turnId), user);
      child = started;
      started.once('exit', leave);
      started.once('error', leave);
      started.stderr?.on('data', (chunk: Buffer) => {
        complaints = (complaints + chunk.toString()).slice(-MAX_COMPLAINTS);
      });
      options.signal.addEventListener('abort', () => started.kill('SIGTERM'), { once: true });
      return started as SpawnedProcess;
    },
    get group() {
      return child?.pid ?? null;
    },
    get gone() {
      return child === null ? Promise.resolve() : left;
    },
    get complaints() {
      return complaints;
    },
  };
}

function startProgram(options: SpawnOptions, mark: string, user: AgentUser | null): ChildProcess {
  const { command, args, cwd = '/', env } = options;
  const more = { env, detached: true, stdio: 'pipe' } as const;
  if (user === null) {
    return spawn('/bin/sh', ['-c', mark + RUN, command, ...args], { ...more, cwd });
  }
  const [program, ...first] = user.prefix;
  const shell = ['/bin/sh', '-c', mark + ENTER_FIRST, cwd];
  return spawn(program, [...first, ...shell, command, ...args], { ...more, cwd: '/' });
}
