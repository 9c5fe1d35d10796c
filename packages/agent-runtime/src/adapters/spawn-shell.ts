import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { AgentUser } from '../agent-user.ts';
import type { TurnSandbox } from '../turn-sandboxes.ts';

/** Where a shell of a turn starts. Its working directory is `/`. */
export interface ShellStart {
  /** The complete environment. The variables of a sandbox replace its own. */
  readonly env: Readonly<Record<string, string>>;
  /** null for the user of this process. */
  readonly user: AgentUser | null;
  /** It counts instead of `user`, because its processes run as that user already. */
  readonly sandbox: TurnSandbox | null;
  readonly stdio: StdioOptions;
}

/**
 * Starts `/bin/sh` in a sandbox or as the user of agents, in its own process group.
 *
 * @throws Error as `spawn`, or if the sandbox has ended.
 */
export function spawnShell(
  args: readonly string[],
  { env, user, sandbox, stdio }: ShellStart,
): ChildProcess {
  if (sandbox !== null) {
    return sandbox.spawn('/bin/sh', args, { env: { ...env, ...sandbox.env }, stdio });
  }
  const [program = '', ...rest] = [...(user?.prefix ?? []), '/bin/sh', ...args];
  return spawn(program, rest, { cwd: '/', env, detached: true, stdio });
}
