import { lstat, opendir, unlink } from 'node:fs/promises';
import { type Directory, hasProc, openRoot } from './directory.ts';
import { isTemporaryName } from './temporary-name.ts';

// The same depth as the file tools.
const MAX_DEPTH = 100;
// File times lag behind the clock by up to a kernel tick.
const TICK_MS = 20;

/**
 * Removes temporary files that file tools left in a project folder when their process was killed: regular files with
 * such a name, last changed before `before` (milliseconds since 1970). Does not follow links or enter `.git`. Does
 * nothing without `/proc`, because file tools write nothing then.
 *
 * @returns the number of removed files. Throws if the folder cannot be opened.
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
  // Not a folder, a link or inaccessible, so it contains no removable temporary files.
  const child = await directory.child(name).catch(() => null);
  if (child === null) return 0;
  try {
    return await sweep(child, before, depth + 1);
  } finally {
    child.close();
  }
}
