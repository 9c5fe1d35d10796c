import { lstat, opendir, unlink } from 'node:fs/promises';
import { type Directory, hasProc, openRoot } from './directory.ts';
import { isTemporaryName } from './temporary-name.ts';

// As deep as the file tools look.
const MAX_DEPTH = 100;
// The times of files run behind the clock by up to a tick of the kernel.
const TICK_MS = 20;

/**
 * Removes the files that file tools of a process which was killed in mid-write left in a project folder: regular
 * files with exactly their names, last changed before `before` (milliseconds since 1970). Links are not followed;
 * `.git` is not entered. Without `/proc`, where file tools write nothing, nothing is done.
 *
 * @returns how many were removed; throws where the folder itself cannot be opened.
 */
export async function sweepTemporaries(
  folder: string,
  before: number,
): Promise<{ readonly removed: number }> {
  if (!(await hasProc())) return { removed: 0 };
  const root = await openRoot(folder);
  try {
    return { removed: await sweep(root, before - TICK_MS, 0) };
  } finally {
    root.close();
  }
}

async function sweep(directory: Directory, before: number, depth: number): Promise<number> {
  let removed = 0;
  for await (const { name } of await opendir(directory.listing, { bufferSize: 256 })) {
    if (isTemporaryName(name)) removed += await remove(directory.at(name), before);
    else if (name !== '.git' && depth < MAX_DEPTH)
      removed += await sweepChild(directory, name, before, depth);
  }
  return removed;
}

async function remove(path: string, before: number): Promise<number> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null || !stat.isFile() || stat.mtimeMs >= before) return 0;
  return unlink(path).then(
    () => 1,
    () => 0,
  );
}

async function sweepChild(
  directory: Directory,
  name: string,
  before: number,
  depth: number,
): Promise<number> {
  // No folder, a link, or closed to us: nothing of ours is in it that we could remove.
  const child = await directory.child(name).catch(() => null);
  if (child === null) return 0;
  try {
    return await sweep(child, before, depth + 1);
  } finally {
    child.close();
  }
}
