import { stat } from 'node:fs/promises';
import { normalize } from 'node:path';
import { failure, type Result, success } from '@svc/core';
import type { Folder, FolderFault, Places } from '../folder.ts';
import { type Directory, hasProc, openRoot } from './directory.ts';
import { codeOf } from './error-code.ts';
import { readPlace } from './folder-read.ts';
import { visitPlace } from './folder-visit.ts';
import { writePlace } from './folder-write.ts';
import { type Base, closeChain, failed, type ResolvedPath, resolvePath } from './resolved-path.ts';

/**
 * Opens a project folder for the file tools of one turn; null if it is missing or not a folder. Without `/proc` the
 * folder refuses every operation.
 *
 * @param proc Whether `/proc` is available. Default: detected.
 */
export async function openFolder(
  cwd: string,
  proc: () => Promise<boolean> = hasProc,
): Promise<Folder | null> {
  if (!(await proc())) return (await isFolder(cwd)) ? CLOSED : null;
  const base = await openBase(cwd);
  if (base === null) return null;
  const at = <T>(
    path: string,
    work: (resolved: ResolvedPath) => Promise<Result<T, FolderFault>>,
  ): Promise<Result<T, FolderFault>> => atResolved(base, path, work);
  return {
    read: (path, maxBytes) => at(path, (resolved) => readPlace(resolved, path, maxBytes)),
    write: (path, content, options) =>
      at(path, (resolved) => writePlace(resolved, path, content, options)),
    visit: (path, options, on) => at(path, (resolved) => visitPlace(resolved, path, options, on)),
    close: async () => base.root.close(),
  };
}

/**
 * Opens a project folder to check the paths of an agent program that has its own file tools; null if it is missing or
 * not a folder. Without `/proc` every path is refused. A checked path can change before the program uses it. Only the
 * file tools of this package prevent that.
 */
export async function openPlaces(
  cwd: string,
  proc: () => Promise<boolean> = hasProc,
): Promise<Places | null> {
  if (!(await proc())) return (await isFolder(cwd)) ? CLOSED_PLACES : null;
  const base = await openBase(cwd);
  if (base === null) return null;
  return {
    async faultOf(path, rights) {
      const looked = await atResolved(base, path, async ({ names, rest, stat }) => {
        if (stat !== null && !stat.isFile()) return failure(failed(`${path}: not a regular file.`));
        const refusal = rights?.refusalToWrite([...names, ...rest]) ?? null;
        return refusal === null
          ? success(null)
          : failure<FolderFault>({ kind: 'refused', reason: refusal });
      });
      return looked.ok ? null : looked.error;
    },
    async read(path, maxBytes) {
      const got = await atResolved(base, path, (found) => readPlace(found, path, maxBytes));
      return got.ok ? got.value.bytes : null;
    },
    close: async () => base.root.close(),
  };
}

const UNSAFE: FolderFault = {
  kind: 'refused',
  reason: 'File tools cannot read or write safely here: /proc is not mounted.',
};

const refuse = async () => failure(UNSAFE);
const CLOSED: Folder = { read: refuse, write: refuse, visit: refuse, close: async () => {} };
const CLOSED_PLACES: Places = {
  faultOf: async () => UNSAFE,
  read: async () => null,
  close: async () => {},
};

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function openBase(cwd: string): Promise<Base | null> {
  try {
    const root = await openRoot(cwd);
    const given = normalize(cwd).replace(/(?!^)\/$/, '');
    return { root, paths: [realPathOf(root), given] };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(error))) return null;
    throw error;
  }
}

function realPathOf(root: Directory): string {
  try {
    return root.path();
  } catch (error) {
    root.close();
    throw error;
  }
}

async function atResolved<T>(
  base: Base,
  path: string,
  work: (resolved: ResolvedPath) => Promise<Result<T, FolderFault>>,
): Promise<Result<T, FolderFault>> {
  try {
    const resolved = await resolvePath(base, path);
    if (!resolved.ok) return resolved;
    // `work` adds the folders that it creates to the chain, so that they are closed too.
    try {
      return await work(resolved.value);
    } finally {
      closeChain(resolved.value.chain);
    }
  } catch (error) {
    return failure(faultOf(path, error));
  }
}

function faultOf(path: string, error: unknown): FolderFault {
  const code = codeOf(error);
  if (SWAPPED.has(code)) {
    return { kind: 'refused', reason: `${path} changed during the operation.` };
  }
  // An error without a system code is a bug.
  if (!/^E[A-Z0-9]+$/.test(code)) throw error;
  return failed(`${path}: ${SENTENCES[code] ?? `the operation failed (${code}).`}`);
}

const SWAPPED: ReadonlySet<string> = new Set(['ELOOP', 'EEXIST']);

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder.',
  ENOTDIR: 'not a folder.',
  EISDIR: 'is a folder.',
  EACCES: 'permission denied.',
  EPERM: 'permission denied.',
  EROFS: 'the file system is read-only.',
  ENOSPC: 'no space is left on the disk.',
  EDQUOT: 'the disk quota is used up.',
  ENAMETOOLONG: 'the name is too long.',
  ENXIO: 'not a regular file.',
  EMFILE: 'too many files are open.',
};
