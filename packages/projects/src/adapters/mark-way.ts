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

/** Tries once to take a lock by putting a file with this process's mark in its place. */
export async function takeByMark(parts: LockParts, file: string): Promise<Attempt> {
  const found = await lookAt(file, (handle) => clear(parts, file, handle));
  return found === null ? place(parts, file) : found;
}

/** Removes a file that was made beside a lock by a process that is dead. */
export async function removeLeftover(parts: LockParts, file: string): Promise<void> {
  await lookAt(file, (handle) => clear(parts, file, handle));
}

// As long as the handle is open, no other file gets its number.
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

/** Moves a dead one's mark out of the way. */
async function clear(parts: LockParts, file: string, handle: FileHandle): Promise<Attempt> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw notALock(file);
  const mark = await readMark(handle);
  if (!isLeft(parts, mark, stats, false)) return { busy: mark };
  // Its holder may have let go of it and ended since it was opened, and what is there now be somebody's. Looking and
  // moving are one step of this process; whoever comes in between all the same finds out through `isHeld`.
  if (!isAt(file, stats) || parseMark(textOf(file) ?? '')?.id !== mark?.id) return 'again';
  const aside = `${file}.${newId()}`;
  renameSync(file, aside);
  await remove(aside);
  return 'again';
}

// Written aside and linked, so that nobody ever sees it without its content.
async function place(parts: LockParts, file: string): Promise<Attempt> {
  const { id, text } = newMark(parts, false);
  const aside = `${file}.${id}`;
  // Before the file is there: this process would take it for that of an earlier one with its id.
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
