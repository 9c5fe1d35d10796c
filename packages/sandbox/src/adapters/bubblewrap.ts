import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { failure, type Result, success } from '@svc/core';
import { type EnterOptions, enterNamespaces, type Namespaces } from './namespaces.ts';
import { spawnClosed } from './spawn-closed.ts';

/** How to start bwrap. */
export interface BubblewrapOptions extends EnterOptions {
  /** Arguments that describe the mounts. `/proc/self/fd/4` and so on refer to `folders`. */
  readonly mounts: readonly string[];
  /** Descriptors of folders that mounts refer to. They are closed before anything else runs. */
  readonly folders: readonly number[];
  readonly sharesNetwork: boolean;
}

// The second user namespace of bwrap lets mounts be changed later, and a private devpts needs user 0.
// `user.max_user_namespaces` counts per namespace with everything below it, so that only bwrap gets one.
const PREPARE = [
  'mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts',
  'echo 1 > /proc/sys/user/max_user_namespaces',
  'exec "$@"',
].join(' && ');
const FIRST_FOLDER = 4;
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
    return failure(errors.trim().split('\n').at(-1) || 'The sandbox did not start.');
  }
  return success(await enterNamespaces(options, { child, pid, exited }));
}

function spawnHolder({
  programs,
  user,
  mounts,
  folders,
  sharesNetwork,
}: BubblewrapOptions): ChildProcess {
  const [uid, gid] = [user?.uid ?? process.geteuid?.(), user?.gid ?? process.getegid?.()];
  const close = folders.map((_fd, at) => `exec ${FIRST_FOLDER + at}<&-; `).join('');
  const command = [
    ...(user?.prefix ?? []),
    ...[programs.unshare, '--user', '--map-root-user', '--mount', '--'],
    ...['/bin/sh', '-c', PREPARE, 'sh', programs.bwrap],
    ...['--unshare-all', '--unshare-user', '--uid', String(uid), '--gid', String(gid)],
    ...(sharesNetwork ? ['--share-net'] : []),
    ...['--die-with-parent', '--new-session', '--info-fd', '3', ...mounts, '--chdir', '/'],
    // The pipe to its input ends with this process.
    ...['--', '/bin/sh', '-c', `${close}exec 3>&-; echo ${READY}; read -r _`],
  ];
  // The environment of the first process of a sandbox is readable in it.
  return spawnClosed(command, { env: {}, stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...folders] });
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

function pidOf(info: string): number | null {
  const [, pid = null] = /"child-pid":\s*(\d+)/.exec(info) ?? [];
  return pid === null ? null : Number(pid);
}
