import { constants, fstatSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { KernelLock } from './kernel-lock.ts';
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

const FLAGS = constants.O_RDWR | constants.O_CREAT | CAREFULLY;

/**
 * Tries once to take a lock with the kernel's lock. The file also gets a mark, for processes that do not see the
 * kernel's lock.
 */
export async function takeInKernel(
  parts: LockParts,
  kernel: KernelLock,
  file: string,
): Promise<Attempt> {
  const handle = await open(file, FLAGS, 0o600).catch((error: unknown) => {
    throw isNoFile(error) ? notALock(file) : error;
  });
  let taken: Attempt = 'again';
  try {
    taken = await takeOpened(parts, kernel, file, handle);
    return taken;
  } finally {
    if (taken === 'again' || 'busy' in taken) await handle.close();
  }
}

async function takeOpened(
  parts: LockParts,
  kernel: KernelLock,
  file: string,
  handle: FileHandle,
): Promise<Attempt> {
  if (!fstatSync(handle.fd).isFile()) throw notALock(file);
  if (!tryLock(kernel, file, handle.fd)) return { busy: await readMark(handle) };
  const stats = fstatSync(handle.fd);
  // The previous holder has removed the file, so this lock belongs to no path any more.
  if (!isAt(file, stats)) return 'again';
  if (stats.size > 0) {
    const mark = await readMark(handle);
    if (!isLeft(parts, mark, stats, true)) return { busy: mark };
  }
  const { id, text } = newMark(parts, true);
  try {
    // Synchronous: these few bytes go to the page cache, and another thread would cost more than the write.
    if (stats.size > 0) ftruncateSync(handle.fd);
    writeSync(handle.fd, text, 0);
  } catch (error) {
    if (isAt(file, stats)) await remove(file);
    throw error;
  }
  // The holder of a mark may have removed it and ended while it was read.
  if (!isAt(file, stats)) return 'again';
  parts.held.add(id);
  const stop = keepFresh(parts.clock, (at) => handle.utimes(at, at));
  const isHeld = (): boolean => parts.held.has(id) && isAt(file, stats);
  const release: HeldLock['release'] = async () => {
    stop();
    try {
      if (isHeld()) await remove(file);
    } finally {
      parts.held.delete(id);
      await handle.close();
    }
  };
  return { isHeld, release };
}

function tryLock(kernel: KernelLock, file: string, fd: number): boolean {
  try {
    return kernel.tryLock(fd);
  } catch (error) {
    // Processes that use marks only would wait for the mark of the empty file that was opened here.
    const stats = fstatSync(fd);
    if (stats.size === 0 && isAt(file, stats)) rmSync(file, { force: true });
    throw error;
  }
}
