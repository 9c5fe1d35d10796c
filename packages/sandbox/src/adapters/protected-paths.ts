import { type FSWatcher, type Stats, watch } from 'node:fs';
import { cp, lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, failure, type Result, success } from '@svc/core';
import type { Mount } from '../mounts.ts';
import { repeat } from '../repeat.ts';
import { createFileTrust, type FileTrust } from './file-trust.ts';
import { isHarmless } from './new-repository.ts';

/** Paths below `.git` that make git run programs of others, or read another repository. */
const GIT_PATHS = [
  '.git/hooks',
  '.git/config',
  '.git/config.worktree',
  '.git/commondir',
  '.git/modules',
];
// A file that changes what git reads as soon as it exists.
const NEVER_CREATED: readonly string[] = ['.git/commondir'];

// Where changes cannot be watched.
const CHECK_EVERY_MS = 200;

/** The protected paths of a folder when a sandbox is opened. */
export interface ProtectedPaths {
  /** Relative to the folder. */
  readonly paths: readonly string[];
  /** Those that exist. */
  readonly existing: Set<string>;
  readonly mounts: readonly Mount[];
}

/** Finds the protected paths of a folder that a sandbox may change. The error is one sentence. */
export async function findProtectedPaths(
  folder: string,
  named: readonly string[],
): Promise<Result<ProtectedPaths, string>> {
  const git = await entryAt(folder, '.git');
  const paths = [...named, ...(git === null || git.isDirectory() ? GIT_PATHS : ['.git'])];
  const mounts: Mount[] = [];
  const existing = new Set<string>();
  for (const path of ['.git', ...paths]) {
    const entry = await entryAt(folder, path);
    if (entry === null) continue;
    if (entry.isSymbolicLink()) {
      return failure(
        `${path} in the project folder is a link, which cannot be protected. Replace it with the file or folder itself.`,
      );
    }
    existing.add(path);
    const at = join(folder, path);
    mounts.push({ kind: paths.includes(path) ? 'read-only' : 'writable', at, from: at });
  }
  return success({ paths, existing, mounts });
}

/** What a guard needs to know and do about its sandbox. */
export interface GuardDeps {
  readonly clock: Clock;
  /** The process whose mounts count. */
  readonly pid: number;
  /**
   * Pauses the processes of the sandbox, and makes bare paths read-only in it.
   *
   * @param exposed called with these paths before, while the processes are paused
   */
  protect(exposed: (paths: readonly string[]) => void): Promise<void>;
  /** A folder for paths that are moved away. */
  readonly removed: string;
}

/** Keeps the protected paths of an open sandbox protected. */
export interface Guard {
  /** Protects paths that lost their mount, or were created. Later calls wait for earlier ones. */
  check(): Promise<void>;
  /** The protected files of the folder itself that existed at first, by absolute path. */
  readonly files: ReadonlyMap<string, FileTrust>;
  /** Stops watching, and moves away what the sandbox created. Returns these paths. */
  close(): Promise<readonly string[]>;
}

/** Watches the protected paths of a folder while a sandbox may change it. */
export function openGuard(deps: GuardDeps, folder: string, found: ProtectedPaths): Guard {
  const created = new Set<string>();
  const named = [...found.existing].filter((path) => !path.includes('/') && path !== '.git');
  const files = new Map(
    named.map((path) => [join(folder, path), createFileTrust(join(folder, path))]),
  );
  let last = Promise.resolve();
  let isQueued = false;
  const check = (): Promise<void> => {
    if (isQueued) return last;
    isQueued = true;
    const run = (): Promise<void> => {
      isQueued = false;
      return checkOnce(deps, folder, found, { created, files });
    };
    // A failed check is repeated after the next change.
    last = last.then(run).catch(() => {});
    return last;
  };
  const folders = found.existing.has('.git') ? [folder, join(folder, '.git')] : [folder];
  const watchers = folders.map((watched) => watchFolder(watched, () => void check()));
  const repeated = watchers.includes(null) ? repeat(deps.clock, CHECK_EVERY_MS, check) : null;
  return {
    check,
    files,
    async close() {
      for (const watcher of watchers) watcher?.close();
      repeated?.stop();
      await last;
      for (const path of await createdPaths(folder, found)) {
        await moveAway(deps.removed, folder, path);
        created.add(path);
      }
      return [...created].sort();
    },
  };
}

// The sandbox may create a repository where there is none.
function isPartOfNewGit(path: string, { existing }: ProtectedPaths): boolean {
  return path.startsWith('.git/') && !existing.has('.git');
}

/** The protected paths that the sandbox created and must not leave behind. */
async function createdPaths(folder: string, found: ProtectedPaths): Promise<readonly string[]> {
  const git = await entryAt(folder, '.git');
  const isForeignGit = git !== null && !git.isDirectory() && !found.existing.has('.git');
  const created = isForeignGit ? ['.git'] : [];
  for (const path of found.paths) {
    if (found.existing.has(path) || (isForeignGit && path.startsWith('.git'))) continue;
    if ((await entryAt(folder, path)) === null) continue;
    if (!isPartOfNewGit(path, found) || !(await isHarmless(folder, path))) created.push(path);
  }
  return created;
}

async function checkOnce(
  deps: GuardDeps,
  folder: string,
  found: ProtectedPaths,
  { created, files }: { readonly created: Set<string>; readonly files: Guard['files'] },
): Promise<void> {
  for (const path of NEVER_CREATED) {
    if (found.existing.has(path) || isPartOfNewGit(path, found)) continue;
    if ((await entryAt(folder, path)) === null) continue;
    await moveAway(deps.removed, folder, path);
    created.add(path);
  }
  const bare = await barePaths(deps.pid, folder, found);
  if (bare.length === 0) return;
  await deps.protect((paths) => {
    for (const path of paths) files.get(path)?.exposed();
  });
}

/** Absolute protected paths that exist but are not protected, because they were replaced or created. */
export async function barePaths(
  pid: number,
  folder: string,
  found: ProtectedPaths,
): Promise<readonly string[]> {
  const mounted = await mountPoints(pid);
  const bare: string[] = [];
  for (const path of found.paths) {
    const at = join(folder, path);
    if (mounted.has(at) || isPartOfNewGit(path, found)) continue;
    const entry = await entryAt(folder, path);
    // A link is moved away at the end. A mount would protect what it leads to.
    if (entry !== null && !entry.isSymbolicLink()) bare.push(at);
  }
  return bare;
}

/** Mount points that a process sees. */
export async function mountPoints(pid: number): Promise<ReadonlySet<string>> {
  const text = await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '');
  const octal = (_all: string, digits: string): string =>
    String.fromCharCode(Number.parseInt(digits, 8));
  return new Set(
    text.split('\n').map((line) => {
      const path = line.split(' ')[4] ?? '';
      // The kernel writes bytes of a path as octal numbers: blanks, tabs, newlines and backslashes only.
      return path.replace(/\\([0-7]{3})/g, octal);
    }),
  );
}

async function moveAway(removed: string, folder: string, path: string): Promise<void> {
  const [from, to] = [join(folder, path), join(removed, path)];
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, force: true });
    await rm(from, { recursive: true, force: true });
  }
}

function watchFolder(folder: string, changed: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, changed);
    watcher.on('error', () => {});
    return watcher;
  } catch {
    // No watch is left on this machine.
    return null;
  }
}

function entryAt(folder: string, path: string): Promise<Stats | null> {
  return lstat(join(folder, path)).catch(() => null);
}
