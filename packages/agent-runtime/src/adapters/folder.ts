import { realpath } from 'node:fs/promises';
import { normalize } from 'node:path';
import { failure, type Result } from '@svc/core';
import type { Folder, FolderFault } from '../folder.ts';
import { type Descriptors, openRoot } from './directory.ts';
import { codeOf } from './error-code.ts';
import { readPlace } from './folder-read.ts';
import { visitPlace } from './folder-visit.ts';
import { writePlace } from './folder-write.ts';
import { type Base, closeChain, failed, findSpot, type Spot } from './spot.ts';

/**
 * Opens a project folder for the file tools of one turn; null where it is missing or no folder.
 *
 * @param descriptors How folders are held; default: through /proc where it is there.
 */
export async function openFolder(cwd: string, descriptors?: Descriptors): Promise<Folder | null> {
  const base = await openBase(cwd, descriptors);
  if (base === null) return null;
  const at = <T>(
    path: string,
    work: (spot: Spot) => Promise<Result<T, FolderFault>>,
  ): Promise<Result<T, FolderFault>> => atSpot(base, path, work);
  return {
    read: (path, maxBytes) => at(path, (spot) => readPlace(spot, path, maxBytes)),
    write: (path, content, options) => at(path, (spot) => writePlace(spot, path, content, options)),
    visit: (path, options, on) => at(path, (spot) => visitPlace(spot, path, options, on)),
    close: () => base.root.close(),
  };
}

async function openBase(cwd: string, descriptors?: Descriptors): Promise<Base | null> {
  try {
    const real = await realpath(cwd);
    const given = normalize(cwd).replace(/(?!^)\/$/, '');
    return { root: await openRoot(real, descriptors), paths: [real, given] };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(error))) return null;
    throw error;
  }
}

async function atSpot<T>(
  base: Base,
  path: string,
  work: (spot: Spot) => Promise<Result<T, FolderFault>>,
): Promise<Result<T, FolderFault>> {
  try {
    const spot = await findSpot(base, path);
    if (!spot.ok) return spot;
    // `work` adds the folders that it makes to the chain, so that they are closed too.
    try {
      return await work(spot.value);
    } finally {
      await closeChain(spot.value.chain);
    }
  } catch (error) {
    const sentence = SENTENCES[codeOf(error)];
    if (sentence === undefined) throw error;
    return failure(failed(`${path}: ${sentence}`));
  }
}

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
  ELOOP: 'changed while it was used.',
  ENXIO: 'not a regular file.',
  EEXIST: 'changed while it was used.',
  EMFILE: 'too many files are open.',
};
