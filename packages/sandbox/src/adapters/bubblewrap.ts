import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlink } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { failure, type Result, success } from '@svc/core';
import { type EnterOptions, enterNamespaces, type Namespaces } from './namespaces.ts';
import { spawnClosed } from './spawn-closed.ts';

/** How to start bwrap. */
export interface BubblewrapOptions extends EnterOptions {
  /** Arguments that describe the mounts. */
  readonly mounts: readonly string[];
  /** The absolute folder from which `etc` and `home` are resolved, also if its user cannot enter the folders above. */
  readonly stateFolder: string;
  /** The folder that mounts refer to as `ETC`. */
  readonly etc: string;
  /** The folder that mounts refer to as `HOME`. */
  readonly home: string;
  readonly sharesNetwork: boolean;
}

// A folder that exists on every Linux, and that no sandbox needs.
const OWN_MOUNTS = '/sys/kernel';

/** Where mounts find the folder that sandboxes see as `/etc`. */
export const ETC: string = `${OWN_MOUNTS}/etc`;

/** Where mounts find the home folder. */
export const HOME: string = `${OWN_MOUNTS}/home`;

// bwrap resolves the paths of mounts from `/`, so the two folders are mounted where its user can reach them. Only the
// working directory leads to them from a new mount namespace: descriptors belong to the previous one.
//
// The second user namespace of bwrap lets mounts be changed later, and a private devpts needs user 0.
// `user.max_user_namespaces` counts per namespace with everything below it, so that only bwrap gets one.
const PREPARE = [
  'mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts',
  `mount -t tmpfs -o size=16k,mode=755 tmpfs ${OWN_MOUNTS} && mkdir ${ETC} ${HOME}`,
  `mount --no-canonicalize --rbind "$1" ${ETC} && mount --no-canonicalize --rbind "$2" ${HOME}`,
  // The first process of a sandbox has the environment of this shell.
  'cd / && unset OLDPWD && shift 2',
  'echo 1 > /proc/sys/user/max_user_namespaces',
  'exec "$@"',
].join(' && ');
const READY = 'ready';
const STARTED_WITHIN_MS = 20_000;

/** Starts a sandbox that lives until it is killed, or this process ends. The error is what the programs reported. */
export async function startBubblewrap(
  options: BubblewrapOptions,
): Promise<Result<Namespaces, string>> {
  const child = spawnHolder(options);
  if (child.pid === undefined) {
    const [error] = await once(child, 'error');
    return failure(String((error as Error).message));
  }
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(0, 2000);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const info = textOf(child.stdio[3] as Readable);
  const isReady = await Promise.race([readyLine(child), exited.then(() => false), lateEnd()]);
  const pid = isReady ? pidOf(await info()) : null;
  if (pid === null) {
    child.kill('SIGKILL');
    await exited;
    return failure(lastLine(errors) ?? 'its programs reported nothing');
  }
  const shared = await sharedNamespaces(pid, options.sharesNetwork);
  if (shared !== null) {
    child.kill('SIGKILL');
    await exited;
    return failure(`it shares the ${shared} namespace of this machine`);
  }
  return success(await enterNamespaces(options, { child, pid, exited }));
}

function spawnHolder({
  programs,
  user,
  join,
  mounts,
  stateFolder,
  etc,
  home,
  sharesNetwork,
}: BubblewrapOptions): ChildProcess {
  const [uid, gid] = [user?.uid ?? process.geteuid?.(), user?.gid ?? process.getegid?.()];
  const filter = programs.launcher?.filter.code;
  const command = [
    ...[...join, ...(user?.prefix ?? [])],
    ...[programs.unshare, '--user', '--map-root-user', '--mount', '--'],
    ...['/bin/sh', '-c', PREPARE, 'sh', etc, home, programs.bwrap],
    ...['--unshare-all', '--unshare-user', '--uid', String(uid), '--gid', String(gid)],
    ...(sharesNetwork ? ['--share-net'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(filter === undefined ? [] : ['--seccomp', '4']),
    ...['--info-fd', '3', ...mounts, '--chdir', '/'],
    // The pipe to its input ends with this process.
    ...['--', '/bin/sh', '-c', `exec 3>&-; echo ${READY}; read -r _`],
  ];
  // The environment of the first process of a sandbox is readable in it.
  const stdio = Array<'pipe'>(filter === undefined ? 4 : 5).fill('pipe');
  const child = spawnClosed(command, { env: {}, cwd: stateFolder, stdio });
  const input = child.stdio[4] as Writable | undefined;
  input?.on('error', () => {}).end(filter);
  return child;
}

const REQUIRED_SPACES = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts'];

// In a shared namespace, what is done to the sandbox would be done to this machine.
async function sharedNamespaces(pid: number, sharesNetwork: boolean): Promise<string | null> {
  for (const space of REQUIRED_SPACES) {
    const [its, ours] = await Promise.all(
      [`/proc/${pid}/ns/${space}`, `/proc/self/ns/${space}`].map((path) => readlink(path)),
    );
    if (its === ours && !(space === 'net' && sharesNetwork)) return space;
  }
  return null;
}

function readyLine(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    // Output after the first line is of no interest, but must not block.
    child.stdout?.on('data', (chunk: Buffer) => resolve(chunk.toString().startsWith(READY)));
  });
}

function lateEnd(): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), STARTED_WITHIN_MS).unref();
  });
}

function textOf(stream: Readable): () => Promise<string> {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const closed = once(stream, 'close');
  return async () => {
    await closed;
    return text;
  };
}

// mount indents what it adds to its errors.
function lastLine(text: string): string | null {
  const lines = text.split('\n').filter((line) => /^\S/.test(line));
  return lines.at(-1)?.trim().replace(/\.$/, '') ?? null;
}

function pidOf(info: string): number | null {
  const [, pid = null] = /"child-pid":\s*(\d+)/.exec(info) ?? [];
  return pid === null ? null : Number(pid);
}
