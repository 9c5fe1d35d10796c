import { type ChildProcess, execFile } from 'node:child_process';
import { readlink } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { SandboxedSpawnOptions, SandboxUser } from '../sandbox.ts';
import { type Launcher, launchOf } from './launch.ts';
import { spawnClosed } from './spawn-closed.ts';
import { untilEntered, untilStopped } from './until-stopped.ts';

/** Absolute paths of the programs that create and enter sandboxes. */
export interface Programs {
  readonly bwrap: string;
  readonly unshare: string;
  readonly nsenter: string;
  readonly setpriv: string;
  readonly setsid: string;
  /** Null if commands start without a filter of system calls. */
  readonly launcher: Launcher | null;
}

/** How to enter sandboxes. */
export interface EnterOptions {
  readonly programs: Programs;
  readonly user: SandboxUser | null;
  /** Program and first arguments that enter the control group of the sandbox; empty if it has none. */
  readonly join: readonly string[];
}

/** The processes and namespaces of one sandbox. */
export interface Namespaces {
  /** Its first process, as seen from outside. All others are killed with it. */
  readonly pid: number;
  /** Starts a process without any rights. */
  spawn(program: string, args: readonly string[], options: SandboxedSpawnOptions): ChildProcess;
  /**
   * Runs a shell script with all rights over these namespaces.
   *
   * @param where `inside`: with the files of the sandbox. `outside`: with those of this machine.
   */
  administer(where: 'inside' | 'outside', script: string, args: readonly string[]): Promise<void>;
  /** Stops all processes until the work is done. */
  whilePaused<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when all processes have exited. */
  readonly exited: Promise<void>;
  /** Kills all processes. */
  kill(): void;
}

/** A started bwrap and the first process of its sandbox. */
export interface StartedHolder {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<void>;
}

// Names of namespaces in /proc, with the option of nsenter where it differs.
const SPACES = ['mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup'];
const OPTION_OF: Readonly<Record<string, string>> = { mnt: 'mount' };
const NO_RIGHTS = [
  '--no-new-privs',
  '--bounding-set=-all',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--',
];
const ADMINISTERED_WITHIN_MS = 10_000;
// For the scripts of this module; the processes of a sandbox get their own environment.
const PLAIN = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
// Waits outside until the pipe is closed, so that nothing starts while the sandbox is paused.
const WAIT = ['/bin/sh', '-c', 'read -r _ <&3; exec 3<&-; exec "$@"', 'sh'];
// If the sandbox ended and its number was given to another process, `kill -1` would signal the whole machine.
const SIGNAL_ALL = '[ "$(readlink /proc/self/ns/pid)" = "$1" ] && kill -$2 -1';

const run = promisify(execFile);

/** Gives access to the namespaces of a started sandbox. */
export async function enterNamespaces(
  options: EnterOptions,
  holder: StartedHolder,
): Promise<Namespaces> {
  const { pid, exited } = holder;
  const own = await ownNamespaces(pid);
  const administer = administrationOf(options, holder, own);
  const commands = commandsOf(options, holder, own);
  const pidSpace = own.get('pid') ?? '';
  let pauses = Promise.resolve();
  const kill = (): void => {
    if (hasExited(holder.child)) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just exited.
    }
  };
  return {
    pid,
    exited,
    administer,
    spawn: commands.spawn,
    whilePaused(work) {
      const result = pauses.then(async () => {
        commands.hold();
        try {
          // One that has not entered yet would not be stopped.
          await untilEntered(commands.running());
          await administer('inside', SIGNAL_ALL, [pidSpace, 'STOP']);
          await untilStopped(pid);
          return await work();
        } finally {
          // Processes that cannot be continued would never end.
          await administer('inside', SIGNAL_ALL, [pidSpace, 'CONT']).catch(kill);
          commands.release();
        }
      });
      // One pause after the other, so that none ends early.
      pauses = result.then(
        () => {},
        () => {},
      );
      return result;
    },
    kill,
  };
}

/** The namespaces of a process that this process does not share, with their identities. */
async function ownNamespaces(pid: number): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await Promise.all(
    SPACES.map(async (space) => {
      const paths = [`/proc/${pid}/ns/${space}`, `/proc/self/ns/${space}`];
      const [its = '', ours] = await Promise.all(paths.map((path) => readlink(path)));
      if (its !== ours) found.set(space, its);
    }),
  );
  return found;
}

function optionOf(space: string): string {
  return `--${OPTION_OF[space] ?? space}`;
}

function administrationOf(
  { programs, user }: EnterOptions,
  { child, pid }: StartedHolder,
  own: ReadonlyMap<string, string>,
): Namespaces['administer'] {
  return async (where, script, args) => {
    if (hasExited(child)) throw new Error('The sandbox has ended.');
    const entered = [...own.keys()].filter((space) => where === 'inside' || space !== 'mnt');
    const command = [
      ...(user?.prefix ?? []),
      // User 0 of the namespace above keeps its rights when it executes a program.
      ...[programs.nsenter, `--user=/proc/${child.pid}/ns/user`],
      ...entered.map((space) => `${optionOf(space)}=/proc/${pid}/ns/${space}`),
      ...['--preserve-credentials', '--', '/bin/sh', '-c', script, 'sh', ...args],
    ];
    const [program = '', ...rest] = command;
    await run(program, rest, { cwd: '/', env: PLAIN, timeout: ADMINISTERED_WITHIN_MS });
  };
}

interface Commands {
  spawn: Namespaces['spawn'];
  /** Parents of commands that have begun to start and have not exited. */
  running(): readonly number[];
  /** New commands wait from now on. */
  hold(): void;
  /** Waiting commands start. */
  release(): void;
}

function commandsOf(
  { programs, user, join }: EnterOptions,
  { child: holder, pid }: StartedHolder,
  own: ReadonlyMap<string, string>,
): Commands {
  const waiting = new Map<Writable, ChildProcess>();
  const begun = new Set<ChildProcess>();
  let isHeld = false;
  return {
    running: () => [...begun].flatMap(({ pid: parent }) => parent ?? []),
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const [pipe, child] of waiting) {
        pipe.end();
        if (!hasExited(child)) begun.add(child);
      }
      waiting.clear();
    },
    spawn(program, args, { env, stdio }) {
      if (hasExited(holder)) throw new Error('The sandbox has ended.');
      const spaces = [...own.keys()].map(optionOf);
      const { launcher, setsid } = programs;
      const launch = launchOf(launcher, setsid, { command: [program, ...args], env });
      const command = [
        ...(isHeld ? WAIT : []),
        ...[...join, ...(user?.prefix ?? [])],
        ...[programs.nsenter, '--target', String(pid), '--user', ...spaces, '--no-fork'],
        ...['--preserve-credentials', '--', programs.setpriv, ...NO_RIGHTS],
        ...launch.command,
      ];
      const streams = typeof stdio === 'string' ? [stdio, stdio, stdio] : stdio;
      const all = isHeld ? [...streams, 'pipe' as const] : streams;
      const child = spawnClosed(command, { env: launch.env, stdio: all });
      const pipe = isHeld ? (child.stdio[3] as Writable | null | undefined) : null;
      child.once('exit', () => begun.delete(child));
      if (pipe) {
        pipe.on('error', () => {});
        waiting.set(pipe, child);
      } else begun.add(child);
      return child;
    },
  };
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
