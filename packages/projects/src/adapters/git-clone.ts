import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Clock } from '@svc/core';

/** A clone to make. */
export interface GitClone {
  /** A checked address. */
  readonly repo: string;
  /** An empty working folder. */
  readonly folder: string;
  /** Name of the folder that git creates in it. */
  readonly name: string;
  /** The environment of git, without the variables that restrict it. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a clone. None of its processes is running any more. */
export type GitOutcome =
  | { readonly end: 'cloned' }
  | { readonly end: 'timed_out' | 'aborted' }
  /** `stderr`: the end of the standard error of git. */
  | { readonly end: 'failed'; readonly stderr: string }
  | { readonly end: 'not_started'; readonly error: unknown };

const MAX_STDERR = 16 * 1024;
const LAST_WORDS_MS = 1000;

const SETTINGS = [
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'maintenance.auto=false',
  'gc.auto=0',
];

const OPTIONS = ['--quiet', '--template=', '--no-recurse-submodules'];

// Redirections may only use the allowed transports, and git must not prompt.
const ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: 'https:ssh',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_LFS_SKIP_SMUDGE: '1',
  LC_ALL: 'C',
};

// A shared connection would be a process that outlives the clone.
const SSH = 'ssh -o BatchMode=yes -o ControlMaster=no';

/** Runs `git clone` (git-clone(1)) without a shell, in its own process group. */
export function cloneWithGit(clock: Clock, clone: GitClone): Promise<GitOutcome> {
  return new Promise((resolve) => {
    const child = start(clone);
    let ended: 'timed_out' | 'aborted' | null = null;
    const endAs = (why: 'timed_out' | 'aborted') => (): void => {
      ended ??= why;
      endGroup(child);
    };
    const abort = endAs('aborted');
    const timers = [clock.setTimeout(endAs('timed_out'), clone.timeoutMs)];
    clone.signal?.addEventListener('abort', abort, { once: true });
    const done = (outcome: GitOutcome): void => {
      for (const timer of timers) clock.clearTimeout(timer);
      clone.signal?.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const stderr = listen(child);
    child.once('error', (error) => done({ end: 'not_started', error }));
    child.once('exit', () => {
      endGroup(child);
      // A process that left the group may keep the pipe open forever.
      timers.push(clock.setTimeout(() => child.stderr?.destroy(), LAST_WORDS_MS));
    });
    child.once('close', (code) => {
      if (ended !== null) done({ end: ended });
      else done(code === 0 ? { end: 'cloned' } : { end: 'failed', stderr: stderr() });
    });
  });
}

function start({ repo, folder, name, env }: GitClone): ChildProcess {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  return spawn('git', [...settings, 'clone', ...OPTIONS, '--', repo, name], {
    cwd: folder,
    env: {
      GIT_SSH_COMMAND: SSH,
      ...env,
      ...ENVIRONMENT,
      // git must not use a repository that contains the projects folder.
      GIT_CEILING_DIRECTORIES: dirname(folder),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
}

function listen(child: ChildProcess): () => string {
  let stderr = Buffer.alloc(0);
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-MAX_STDERR);
  });
  return () => stderr.toString('utf8');
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has no processes left.
  }
}
