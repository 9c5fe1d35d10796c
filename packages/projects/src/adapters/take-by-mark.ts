import { constants, readFileSync, renameSync } from 'node:fs';
import { type FileHandle, link, open, utimes, writeFile } from 'node:fs/promises';
import { newId } from '@svc/core';
import { parseMark } from './lock-mark.ts';
import {
  type Attempt,
  CAREFULLY,
  type HeldLock,
  isAt,
  isLeft,
  isNoFile,
  keepFresh,
  type LockParts,
  newMark,
  notALock,
  readMark,
  remove,
} from './lock-parts.ts';

/** Tries once to take a lock by creating a file with the mark of this process. */
export async function takeByMark(parts: LockParts, file: string): Promise<Attempt> {
  const found = await lookAt(file, (handle) => clear(parts, file, handle));
  return found === null ? place(parts, file) : found;
}

/** Removes a file that a dead process left next to a lock. */
export async function removeLeftover(parts: LockParts, file: string): Promise<void> {
  await lookAt(file, (handle) => clear(parts, file, handle));
}

// While the handle is open, the inode number is not reused.
async function lookAt<T>(
  file: string,
  look: (handle: FileHandle) => Promise<T>,
): Promise<T | null> {
  const handle = await open(file, constants.O_RDONLY | CAREFULLY).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw isNoFile(error) ? notALock(file) : error;
  });
  if (handle === null) return null;
  try {
    return await look(handle);
  } finally {
    await handle.close();
  }
}

/** Moves the mark of a dead process out of the way. */
async function clear(parts: LockParts, file: string, handle: FileHandle): Promise<Attempt> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw notALock(file);
  const mark = await readMark(handle);
  if (!isLeft(parts, mark, stats, false)) return { busy: mark };
  // The holder may have released the lock since it was opened, and another process may have taken it. The check and
  // the rename run synchronously. If another process still comes in between, `isHeld` returns false for it.
  if (!isAt(file, stats) || parseMark(textOf(file) ?? '')?.id !== mark?.id) return 'again';
  const aside = `${file}.${newId()}`;
  renameSync(file, aside);
  await remove(aside);
  return 'again';
}

// Written under another name and linked, so that the lock file is never visible without its content.
async function place(parts: LockParts, file: string): Promise<Attempt> {
  const { id, text } = newMark(parts, false);
  const aside = `${file}.${id}`;
  // Added before the file exists: otherwise this process would take the file for that of an earlier process with
  // its id.
  parts.held.add(id);
  try {
    await writeFile(aside, text, { flag: 'wx', mode: 0o600 });
    await link(aside, file);
  } catch (error) {
    parts.held.delete(id);
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'again';
    throw error;
  } finally {
    await remove(aside);
  }
  const stop = keepFresh(parts.clock, async (at) => {
    if (isHeld()) await utimes(file, at, at);
  });
  const isHeld = (): boolean => textOf(file) === text;
  const release: HeldLock['release'] = async () => {
    stop();
    try {
      if (isHeld()) await remove(file);
    } finally {
      parts.held.delete(id);
    }
  };
  return { isHeld, release };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
