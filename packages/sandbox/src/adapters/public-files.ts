import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { chmod, copyFile, readdir, rename, rm, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, createTimeSlice, type TimeSlice } from '@svc/core';
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
  clock: Clock,
  from: string,
  to: string,
  isHidden: (path: string) => boolean,
): Promise<void> {
  await readableFolder(to);
  await copyFolder({ slice: createTimeSlice(clock), isHidden }, from, to);
}

interface Copying {
  readonly slice: TimeSlice;
  readonly isHidden: (path: string) => boolean;
}

// Readable for every user, regardless of the umask of this process.
async function readableFolder(path: string): Promise<void> {
  await makeFolder(path);
  await chmod(path, 0o755);
}

async function copyFolder(copying: Copying, from: string, to: string): Promise<void> {
  const kept = new Set<string>();
  const works: Promise<void>[] = [];
  for (const name of await namesIn(from)) {
    // Almost always nothing has changed, and asynchronous calls to compare all entries would take several times as long.
    await copying.slice.yieldToEventLoop();
    if (copying.isHidden(join(from, name))) continue;
    const work = compare(copying, join(from, name), join(to, name));
    if (work === UP_TO_DATE) kept.add(name);
    else if (work !== null) {
      const done = work().then(() => kept.add(name));
      works.push(done.then(() => {}, ignoreGone));
    }
  }
  await Promise.all(works);
  const gone = (await namesIn(to)).filter((name) => !kept.has(name));
  await Promise.all(gone.map((name) => rm(join(to, name), { recursive: true, force: true })));
}

function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    ignoreGone(error);
    return [];
  });
}

const UP_TO_DATE = 'up to date';

// What brings an entry of the copy up to date; null if the entry is not part of the copy.
type Work = (() => Promise<void>) | typeof UP_TO_DATE | null;

function compare(copying: Copying, from: string, to: string): Work {
  try {
    return workOf(copying, from, to);
  } catch (error) {
    return () => Promise.reject(error);
  }
}

function workOf(copying: Copying, from: string, to: string): Work {
  const entry = lstatSync(from);
  const found = lstatSync(to, { throwIfNoEntry: false });
  const copy = found !== undefined && typeOf(found) === typeOf(entry) ? found : null;
  const removeOther = async (): Promise<void> => {
    if (found !== undefined && copy === null) await rm(to, { recursive: true });
  };
  if (entry.isSymbolicLink()) {
    const target = readlinkSync(from);
    if (copy !== null && readlinkSync(to) === target) return UP_TO_DATE;
    return async () => {
      await rm(to, { recursive: true, force: true });
      await symlink(target, to);
    };
  }
  if (entry.isDirectory()) {
    if ((entry.mode & READABLE_FOLDER) !== READABLE_FOLDER) return null;
    return async () => {
      await removeOther();
      if (copy === null || (copy.mode & 0o777) !== 0o755) await readableFolder(to);
      await copyFolder(copying, from, to);
    };
  }
  if (!entry.isFile() || (entry.mode & READABLE) === 0 || entry.size > MAX_BYTES) return null;
  if (copy !== null && isSame(entry, copy)) return UP_TO_DATE;
  return async () => {
    await removeOther();
    await copyOne(from, to, entry);
  };
}

/** @throws the error, unless the entry was removed or replaced meanwhile, or this process may not read it */
function ignoreGone(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (!['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP'].includes(String(code))) throw error;
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
