import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Creates a folder if it is missing, but not the folders above it: those may have been moved away, and must not be
 * created again in their place. Returns whether it was created.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Creates the missing folders of a path below a folder, which must exist. Returns whether the last one was created. */
export async function makeFoldersBelow(base: string, path: string, mode: number): Promise<boolean> {
  let at = base;
  let isNew = false;
  for (const part of relative(base, path).split('/')) {
    at = join(at, part);
    isNew = await makeFolder(at, mode);
  }
  return isNew;
}
