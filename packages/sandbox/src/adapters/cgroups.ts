import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '@svc/core';
import type { SandboxLimits } from '../sandbox.ts';
import { statFields } from './stat-fields.ts';
import { systemProgram } from './system-program.ts';
import type { Usage } from './usage.ts';

/** Control groups (cgroup v2) of sandboxes, below the group that was delegated to this process. */
export interface ControlGroups {
  /** Creates a group in which the kernel enforces these limits. */
  create(limits: SandboxLimits): Promise<ControlGroup>;
}

/** The control group of one sandbox. */
export interface ControlGroup {
  /** Program and first arguments that enter the group and then exec the command that follows them. */
  readonly join: readonly string[];
  /** What its processes used, or that they reached a limit. Blocks, but reads no disk. */
  usage(): Usage;
  /** Kills what is left in the group, and removes it. Returns whether it is gone; its processes may take a moment. */
  remove(): Promise<boolean>;
}

/** Where control groups are found. Tests replace these folders. */
export interface ControlGroupPaths {
  /** Where the hierarchy is mounted. */
  readonly root: string;
  readonly proc: string;
}

const PATHS: ControlGroupPaths = { root: '/sys/fs/cgroup', proc: '/proc' };
const CONTROLLERS = ['memory', 'pids'];
// Only groups without processes can have groups with limits below them (cgroups(7), "no internal processes").
const OWN_LEAF = 'svc';
// Processes that start and hold a sandbox are in its group as well, but not part of it: bwrap, and one for each command.
const HOLDING = 64;
const MOVES = 10;
const JOIN = ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"'];
const ASKED_WITHIN_MS = 5000;

const run = promisify(execFile);

/**
 * Prepares the control group of this process for groups of sandboxes: moves this process and its children into the group
 * `svc` below it. Returns null, and moves nothing, unless the group is delegated to this process, has no other
 * processes, and limits memory and processes.
 */
export async function openControlGroups(
  paths: ControlGroupPaths = PATHS,
  isDelegated: (folder: string) => Promise<boolean> = isDelegatedToUs,
): Promise<ControlGroups | null> {
  const folder = await ownGroup(paths);
  if (folder === null) return null;
  try {
    if (!(await isDelegated(folder))) return null;
    const controllers = words(await readFile(join(folder, 'cgroup.controllers'), 'utf8'));
    if (CONTROLLERS.some((name) => !controllers.includes(name))) return null;
    if (!(await moveOwnProcesses(folder, paths.proc))) return null;
    const wanted = CONTROLLERS.map((name) => `+${name}`).join(' ');
    await writeFile(join(folder, 'cgroup.subtree_control'), wanted);
  } catch {
    // The hierarchy is read-only, or was changed meanwhile.
    return null;
  }
  return { create: (limits) => createGroup(join(folder, `sandbox-${newId()}`), limits) };
}

// Null if this process is in the root group, which has no limits, or in another kind of hierarchy.
async function ownGroup({ root, proc }: ControlGroupPaths): Promise<string | null> {
  const groups = await readFile(join(proc, 'self/cgroup'), 'utf8').catch(() => '');
  const [, path = '/'] = /^0::(\/.*)$/m.exec(groups) ?? [];
  const folder = join(root, path);
  const type = await readFile(join(folder, 'cgroup.type'), 'utf8').catch(() => null);
  return type?.trim() === 'domain' ? folder : null;
}

// systemd gives a delegated group to the user of the service. Every group belongs to root, so root has to ask.
async function isDelegatedToUs(folder: string): Promise<boolean> {
  const uid = process.geteuid?.();
  if (uid !== 0) return (await stat(folder)).uid === uid;
  const systemctl = systemProgram('systemctl');
  if (systemctl === null || !folder.endsWith('.service')) return false;
  const args = ['show', '--value', '--property=Delegate', '--', basename(folder)];
  const asked = run(systemctl, args, { timeout: ASKED_WITHIN_MS });
  return await asked.then(
    ({ stdout }) => stdout.trim() === 'yes',
    () => false,
  );
}

async function moveOwnProcesses(folder: string, proc: string): Promise<boolean> {
  const processes = async (): Promise<readonly number[]> =>
    words(await readFile(join(folder, 'cgroup.procs'), 'utf8')).map(Number);
  const present = await processes();
  const ours = await Promise.all(present.map((pid) => isOurs(pid, proc)));
  if (ours.includes(false)) return false;
  const leaf = join(folder, OWN_LEAF);
  await mkdir(leaf, { recursive: true });
  // Its later children start in the new group. Those that start before it is moved need another round.
  for (let round = 0; round < MOVES; round += 1) {
    const left = await processes();
    if (left.length === 0) return true;
    const first = left.includes(process.pid) ? [process.pid] : [];
    for (const pid of [...first, ...left.filter((one) => one !== process.pid)]) {
      // It may have exited.
      await writeFile(join(leaf, 'cgroup.procs'), String(pid)).catch(() => {});
    }
  }
  return false;
}

async function isOurs(pid: number, proc: string): Promise<boolean> {
  for (let one = pid; one > 1; ) {
    if (one === process.pid) return true;
    const facts = await readFile(join(proc, String(one), 'stat'), 'latin1').catch(() => null);
    // A process that has exited needs no move.
    if (facts === null) return one === pid && !(await exists(join(proc, String(one))));
    const [, parent = 0] = statFields(facts);
    one = Number(parent);
  }
  return false;
}

async function createGroup(folder: string, limits: SandboxLimits): Promise<ControlGroup> {
  const set = (name: string, value: number): Promise<void> =>
    writeFile(join(folder, name), String(value));
  await mkdir(folder);
  try {
    await set('memory.max', limits.memoryBytes);
    await set('memory.oom.group', 1);
    await set('pids.max', limits.processes + HOLDING);
  } catch (error) {
    await rmdir(folder).catch(() => {});
    throw error;
  }
  // Missing where the kernel does not count swap.
  await set('memory.swap.max', 0).catch(() => {});
  return {
    join: [...JOIN, join(folder, 'cgroup.procs')],
    usage: () => usageOf(folder, limits),
    async remove() {
      await set('cgroup.kill', 1).catch(() => {});
      return await rmdir(folder).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
    },
  };
}

// The kernel keeps processes within the limits, so reaching one is what counts. Memory below the limit contains files
// that the kernel can drop at any time.
function usageOf(folder: string, limits: SandboxLimits): Usage {
  const read = (file: string, key: string): number =>
    Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(textOf(join(folder, file)))?.[1] ?? 0);
  return {
    memoryBytes: read('memory.events', 'oom_kill') > 0 ? limits.memoryBytes + 1 : 0,
    processes: read('pids.events', 'max') > 0 ? limits.processes + 1 : 0,
    cpuMs: Math.floor(read('cpu.stat', 'usage_usec') / 1000),
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The group has been removed.
    return '';
  }
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
