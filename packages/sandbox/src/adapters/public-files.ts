import type { Stats } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
} from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

// Larger files of /etc are databases of the system, such as those of udev.
const MAX_BYTES = 4 * 1024 * 1024;
const READABLE = 0o004;
const READABLE_FOLDER = 0o005;

/**
 * Copies the part of a folder that every user may read, and brings an earlier copy up to date.
 *
 * A sandbox sees the copy instead of the folder: processes of root could read the rest of it as its owner, and a mount
 * over a single file is lost when the system replaces that file.
 *
 * @param isHidden Whether a path of the original is left out.
 */
export async function copyPublicFiles(
  from: string,
  to: string,
  isHidden: (path: string) => boolean,
): Promise<void> {
  await readableFolder(to);
  await copyFolder(from, to, isHidden);
}

// Readable for every user, regardless of the umask of this process.
async function readableFolder(path: string): Promise<void> {
  await makeFolder(path);
  await chmod(path, 0o755);
}

async function copyFolder(
  from: string,
  to: string,
  isHidden: (path: string) => boolean,
): Promise<void> {
  const [names, known] = await Promise.all([readdir(from).catch(() => []), readdir(to)]);
  const kept = new Set<string>();
  await Promise.all(
    names.map(async (name) => {
      const source = join(from, name);
      if (!isHidden(source) && (await copyEntry(source, join(to, name), isHidden))) kept.add(name);
    }),
  );
  const gone = known.filter((name) => !kept.has(name));
  await Promise.all(gone.map((name) => rm(join(to, name), { recursive: true, force: true })));
}

// Returns whether the entry is part of the copy.
async function copyEntry(
  from: string,
  to: string,
  isHidden: (path: string) => boolean,
): Promise<boolean> {
  try {
    const [entry, copy] = await Promise.all([lstat(from), lstat(to).catch(() => null)]);
    if (copy !== null && typeOf(copy) !== typeOf(entry)) await rm(to, { recursive: true });
    if (entry.isSymbolicLink()) return await copyLink(from, to);
    if (entry.isDirectory()) {
      if ((entry.mode & READABLE_FOLDER) !== READABLE_FOLDER) return false;
      await readableFolder(to);
      await copyFolder(from, to, isHidden);
      return true;
    }
    if (!entry.isFile() || (entry.mode & READABLE) === 0 || entry.size > MAX_BYTES) return false;
    if (copy === null || !isSame(entry, copy)) await copyOne(from, to, entry);
    return true;
  } catch (error) {
    // The entry was removed or replaced meanwhile, or this process may not read it.
    if (
      ['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP'].includes(
        String((error as NodeJS.ErrnoException).code),
      )
    )
      return false;
    throw error;
  }
}

async function copyLink(from: string, to: string): Promise<boolean> {
  const [target, known] = await Promise.all([readlink(from), readlink(to).catch(() => null)]);
  if (known === target) return true;
  await rm(to, { force: true });
  await symlink(target, to);
  return true;
}

async function copyOne(from: string, to: string, entry: Stats): Promise<void> {
  const temporary = `${to}.svc-new`;
  await copyFile(from, temporary);
  await chmod(temporary, (entry.mode & 0o111) === 0 ? 0o644 : 0o755);
  await utimes(temporary, entry.atime, entry.mtime);
  await rename(temporary, to);
}

function isSame(entry: Stats, copy: Stats): boolean {
  // Times are set with a precision of microseconds at most.
  return entry.size === copy.size && Math.abs(entry.mtimeMs - copy.mtimeMs) < 1;
}

function typeOf(entry: Stats): string {
  return entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file';
}
