import { chmod, chown, mkdir, realpath, stat } from 'node:fs/promises';
import { release } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { failure, messageInWords, messageOf, newId, type Result, success } from '@svc/core';
import { isWithin, type Mount, mountArguments } from '../mounts.ts';
import { type Listeners, openListeners } from '../network/listeners.ts';
import type {
  Sandbox,
  SandboxDeps,
  SandboxHostOptions,
  SandboxReport,
  SandboxSpec,
} from '../sandbox.ts';
import { ETC, HOME, startBubblewrap } from './bubblewrap.ts';
import type { ControlGroup, ControlGroups } from './cgroups.ts';
import type { FileTrust } from './file-trust.ts';
import { makeFoldersBelow } from './make-folder.ts';
import type { Namespaces, Programs } from './namespaces.ts';
import {
  barePaths,
  findProtectedPaths,
  type Guard,
  type GuardDeps,
  mountPoints,
  openGuard,
  type ProtectedPaths,
} from './protected-paths.ts';
import { homeLinksOf, homeOf, type SandboxMountParts, sandboxMounts } from './sandbox-mounts.ts';
import { systemMounts } from './system-mounts.ts';
import { removeGroup, watchLimits } from './watch-limits.ts';

/** Dependencies of one sandbox. */
export interface OpenDeps extends SandboxDeps {
  readonly programs: Programs;
  /** The folder that sandboxes see as `/etc`. */
  readonly etc: string;
  readonly readable: SandboxMountParts['readable'];
  /** Null if the limits are checked at intervals only. */
  readonly groups: ControlGroups | null;
}

/** A sandbox as its host knows it. */
export interface OpenedSandbox extends Sandbox {
  /** Stops its processes until the work is done and changed paths are protected again. */
  whilePaused<T>(work: () => Promise<T>): Promise<T>;
  /** Its first process, as seen from outside. */
  readonly pid: number;
  /** The mounts that it was started with. */
  readonly mounts: readonly Mount[];
  readonly closed: Promise<void>;
  /** Protects changed paths again. Resolves when that is done. */
  check(): Promise<void>;
  /** The trust in its protected files, by absolute path. */
  readonly files: ReadonlyMap<string, FileTrust>;
}

const NOTHING: ProtectedPaths = { paths: [], existing: new Set(), mounts: [] };
// A mount at the path itself, which is then made read-only.
const PROTECT =
  'for path; do mount --bind "$path" "$path" && mount -o remount,bind,ro "$path" || exit 1; done';
const LINK = '[ -e "$1" ] && mkdir -p "$(dirname "$2")" && ln -sfn "$1" "$2"';
// The first numbers are never reused (pid_namespaces(7)).
const RESERVED_IDS = 300;

/** How errors of a sandbox that did not start begin. */
export const STARTING = 'The sandbox could not be started: ';

/** Opens a sandbox. The error is one sentence. */
export async function openSandbox(
  deps: OpenDeps,
  options: SandboxHostOptions,
  spec: SandboxSpec,
): Promise<Result<OpenedSandbox, string>> {
  const folder = await realpath(spec.folder).catch(() => null);
  if (folder === null || !(await stat(folder)).isDirectory()) {
    return failure('The project folder does not exist.');
  }
  const found = spec.writable
    ? await findProtectedPaths(folder, spec.protectedPaths)
    : success(NOTHING);
  if (!found.ok) return found;
  const group = await createGroup(deps, options);
  const started = await start(deps, options, spec, { folder, found: found.value, group });
  if (!started.ok) {
    removeGroup(deps, group);
    return failure(`${STARTING}${started.error}.`);
  }
  const { spaces } = started.value;
  try {
    const parts = { folder, found: found.value, group, ...started.value };
    return success(await prepare(deps, options, spec, parts));
  } catch (error) {
    spaces.kill();
    await spaces.exited;
    removeGroup(deps, group);
    return failure(`${STARTING}${messageInWords(error)}.`);
  }
}

async function createGroup(
  { groups, logger }: OpenDeps,
  { limits }: SandboxHostOptions,
): Promise<ControlGroup | null> {
  if (groups === null) return null;
  try {
    return await groups.create(limits);
  } catch (error) {
    logger.warn({ error: messageOf(error) }, 'limits of a sandbox are not enforced by the kernel');
    return null;
  }
}

async function start(
  { programs, etc, readable }: OpenDeps,
  options: SandboxHostOptions,
  spec: SandboxSpec,
  { folder, found, group }: Omit<Started, 'spaces' | 'mounts'>,
): Promise<Result<Pick<Started, 'spaces' | 'mounts'>, string>> {
  const { user, limits, stateFolder } = options;
  const withinState = (path: string): string =>
    isWithin(path, stateFolder) ? `./${relative(stateFolder, path)}` : path;
  const [system, own] = await Promise.all([
    systemMounts(limits.memoryBytes),
    sandboxMounts(options, spec, folder, { protection: found.mounts, readable }),
    createHome(options, spec.home),
  ]);
  const mounts: readonly Mount[] = [
    ...system,
    { kind: 'read-only', at: '/etc', from: ETC },
    { kind: 'writable', at: homeOf(folder), from: HOME },
    ...own,
  ];
  const started = await startBubblewrap({
    ...{
      programs,
      user,
      join: group?.join ?? [],
      stateFolder,
      etc: withinState(etc),
      home: withinState(spec.home),
    },
    ...{ mounts: mountArguments(mounts), sharesNetwork: spec.network === 'host' },
  });
  return started.ok ? success({ spaces: started.value, mounts }) : started;
}

async function createHome({ stateFolder, user }: SandboxHostOptions, home: string): Promise<void> {
  const isNew = isWithin(home, stateFolder)
    ? await makeFoldersBelow(stateFolder, home, 0o700)
    : (await mkdir(home, { recursive: true, mode: 0o700 })) !== undefined;
  if (user === null) return;
  if (isNew) await chown(home, user.uid, user.gid);
  // The holder finds both folders from the state folder, regardless of the umask of this process.
  await chmod(stateFolder, 0o711);
  for (
    let above = dirname(home);
    above !== stateFolder && isWithin(above, stateFolder);
    above = dirname(above)
  ) {
    await chmod(above, 0o711);
  }
}

interface Started {
  readonly folder: string;
  readonly found: ProtectedPaths;
  readonly group: ControlGroup | null;
  readonly spaces: Namespaces;
  readonly mounts: readonly Mount[];
}

async function prepare(
  deps: OpenDeps,
  options: SandboxHostOptions,
  spec: SandboxSpec,
  started: Started,
): Promise<OpenedSandbox> {
  const { folder, found, spaces } = started;
  const [listeners] = await Promise.all([
    openPorts(deps, options, spec, spaces),
    limitProcesses(spaces, options.limits.processes),
    requireMounts(spaces.pid, found),
    linkHome(spec, folder, spaces),
  ]);
  const removed = join(options.stateFolder, 'removed', newId());
  const protect: GuardDeps['protect'] = (exposed) =>
    spaces.whilePaused(async () => {
      // This service may have replaced and protected them meanwhile.
      const bare = await barePaths(spaces.pid, folder, found);
      exposed(bare);
      if (bare.length > 0) await spaces.administer('inside', PROTECT, bare);
    });
  const guard = spec.writable
    ? openGuard({ clock: deps.clock, pid: spaces.pid, protect, removed }, folder, found)
    : null;
  // Another program may have replaced a path since it was mounted.
  await guard?.check();
  return sandboxOf(deps, options, { ...started, listeners, guard, removed });
}

// Another sandbox with the same folder might have replaced a path by a link before it was protected.
async function requireMounts(pid: number, found: ProtectedPaths): Promise<void> {
  const mounted = await mountPoints(pid);
  for (const { at } of found.mounts) {
    if (!mounted.has(at)) throw new Error(`${at} could not be protected`);
  }
}

async function limitProcesses(spaces: Namespaces, most: number): Promise<void> {
  // Earlier kernels have one limit for the whole machine.
  const [major = 0, minor = 0] = release().split('.').map(Number);
  if (major < 6 || (major === 6 && minor < 14)) return;
  const script = 'echo "$1" > /proc/sys/kernel/pid_max';
  // The sums that are checked at intervals apply in any case.
  await spaces.administer('outside', script, [String(most + RESERVED_IDS)]).catch(() => {});
}

function openPorts(
  { programs }: OpenDeps,
  { node, user }: SandboxHostOptions,
  { network }: SandboxSpec,
  { pid }: Namespaces,
): Promise<Listeners> {
  const enter = [
    ...(user?.prefix ?? []),
    ...[
      programs.nsenter,
      '--target',
      String(pid),
      '--user',
      '--net',
      '--preserve-credentials',
      '--',
    ],
  ];
  return openListeners({ node, enter }, network === 'host' ? [] : network);
}

async function linkHome(spec: SandboxSpec, folder: string, spaces: Namespaces): Promise<void> {
  for (const [target, at] of homeLinksOf(spec)) {
    const child = spaces.spawn('/bin/sh', ['-c', LINK, 'sh', target, join(homeOf(folder), at)], {
      env: { PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
    });
    await new Promise((resolve) => {
      child.once('close', resolve);
      child.once('error', resolve);
    });
  }
}

interface Parts extends Started {
  readonly listeners: Listeners;
  readonly guard: Guard | null;
  readonly removed: string;
}

function sandboxOf(deps: OpenDeps, options: SandboxHostOptions, parts: Parts): OpenedSandbox {
  const { folder, spaces, listeners, guard, removed } = parts;
  let closing: Promise<SandboxReport> | null = null;
  const watched = watchLimits(deps, options.limits, spaces, parts.group);
  const ended = new Promise<string>((resolve) => {
    void watched.fault.then(resolve);
    void spaces.exited.then(() => {
      const reason = watched.checkKernel();
      removeGroup(deps, parts.group);
      if (closing === null) resolve(reason ?? 'The sandbox of the turn ended unexpectedly.');
    });
  });
  const close = async (): Promise<SandboxReport> => {
    watched.stop();
    spaces.kill();
    await spaces.exited;
    listeners.close();
    const created = (await guard?.close()) ?? [];
    if (created.length > 0) {
      deps.logger.warn(
        { folder, created, movedTo: removed },
        'protected paths created by a turn were moved',
      );
    }
    return { created, movedTo: created.length > 0 ? removed : null };
  };
  return {
    folder,
    home: homeOf(folder),
    ended,
    ...{ closed: spaces.exited, pid: spaces.pid, mounts: parts.mounts },
    spawn(program, args, how) {
      const child = spaces.spawn(program, args, how);
      // The first to know of its exit, so that the reason is known to those who see it.
      child.once('exit', watched.checkKernel);
      return child;
    },
    whilePaused: (work) => pausedWork(deps, parts, work),
    check: () => guard?.check() ?? Promise.resolve(),
    files: guard?.files ?? new Map(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

// The work is done once, whatever happens to the sandbox. One that cannot be paused or protected again is killed.
async function pausedWork<T>(
  { logger }: OpenDeps,
  { folder, found, spaces, guard }: Parts,
  work: () => Promise<T>,
): Promise<T> {
  const files = [...(guard?.files.values() ?? [])];
  let outcome: PromiseSettledResult<T> | null = null;
  const workOnce = async (): Promise<void> => {
    if (outcome === null) [outcome] = await Promise.allSettled([work()]);
  };
  try {
    await spaces.whilePaused(async () => {
      for (const file of files) file.beforeWork();
      await workOnce();
      // Before they are protected: one that is replaced meanwhile must not be taken for this one.
      for (const file of files) file.afterWork();
      const bare = await barePaths(spaces.pid, folder, found);
      if (bare.length > 0) await spaces.administer('inside', PROTECT, bare);
      // They were written from outside, so they are not the sandbox's own.
      for (const path of bare) found.existing.add(relative(folder, path));
    });
  } catch (error) {
    logger.error({ folder, error: messageOf(error) }, 'sandbox could not be paused');
    spaces.kill();
    await spaces.exited;
    await workOnce();
    for (const file of files) file.afterWork();
  }
  const done = outcome as PromiseSettledResult<T> | null;
  if (done?.status === 'fulfilled') return done.value;
  throw done?.reason;
}
