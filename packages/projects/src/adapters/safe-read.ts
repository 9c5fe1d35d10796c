import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { type Checked, type Issue, invalid, success } from '@svc/core';
import { asProjectsError } from '../errors.ts';

/** What to read: a regular file inside `within` (a real path), of at most `maxBytes`. */
export interface SafeRead {
  readonly file: string;
  readonly within: string;
  readonly maxBytes: number;
}

/** Bytes of a file, and the mode to keep when it is written again. */
export interface FileBytes {
  readonly bytes: Buffer;
  readonly mode: number;
  /** Last write, in milliseconds since the epoch. */
  readonly writtenAt: number;
}

// Without following the last link and without blocking, so that links, pipes and devices are never read.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a file that must be inside a folder; refuses links and special files. Null if the file does not exist. */
export async function readInside(target: SafeRead): Promise<Checked<FileBytes> | null> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(target.file, FLAGS);
    const stats = await handle.stat();
    const refusal = await refusalOf(handle, stats, target);
    if (refusal !== null) return invalid(refusal);
    const bytes = await readWhole(handle, stats.size, target.maxBytes);
    if (bytes === null) return invalid(tooLarge(`more than ${target.maxBytes}`, target));
    return success({
      bytes,
      mode: stats.mode & 0o777,
      writtenAt: stats.mtimeMs,
    });
  } catch (error) {
    return failureOf(error);
  } finally {
    await handle?.close();
  }
}

/** Whether a regular file contains exactly these bytes. Synchronous; never reads more than that. */
export function holdsExactly(file: string, bytes: Buffer): boolean {
  try {
    const descriptor = openSync(file, FLAGS);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size !== bytes.length) return false;
      const now = Buffer.allocUnsafe(bytes.length + 1);
      return readSync(descriptor, now) === bytes.length && now.subarray(0, -1).equals(bytes);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

// Requests one byte more than expected, which shows whether the file has grown meanwhile. Null if it has grown
// beyond the limit.
async function readWhole(
  handle: FileHandle,
  size: number,
  maxBytes: number,
): Promise<Buffer | null> {
  const buffer = Buffer.allocUnsafe(size + 1);
  const { bytesRead } = await handle.read(buffer, 0, size + 1, 0);
  if (bytesRead === size) return buffer.subarray(0, size);
  const room = Buffer.allocUnsafe(maxBytes + 1);
  for (let total = 0; total <= maxBytes; ) {
    const more = await handle.read(room, total, room.length - total, total);
    if (more.bytesRead === 0) return room.subarray(0, total);
    total += more.bytesRead;
  }
  return null;
}

async function refusalOf(
  handle: FileHandle,
  stats: Stats,
  target: SafeRead,
): Promise<Issue | null> {
  if (!stats.isFile()) return issue(`must be a regular file.`);
  if (stats.size > target.maxBytes) {
    return tooLarge(String(stats.size), target);
  }
  // The opened file is checked, because the path may have changed since.
  const opened = await openedPath(handle, target.file);
  return opened.startsWith(target.within + sep)
    ? null
    : issue(`leads out of its folder. No part of its path may be a link.`);
}

async function openedPath(handle: FileHandle, file: string): Promise<string> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return realpath(file);
  }
}

function failureOf(error: unknown): Checked<FileBytes> | null {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return null;
    case 'ELOOP':
    case 'EMLINK':
      return invalid(issue(`is a link. Replace it with a regular file.`));
    case 'ENXIO':
      return invalid(issue(`must be a regular file.`));
    case 'EACCES':
    case 'EPERM':
      return invalid(issue(`cannot be read. Give the user that svc runs as read permission.`));
    default:
      throw asProjectsError(error, {});
  }
}

function tooLarge(size: string, { maxBytes }: SafeRead): Issue {
  return issue(`is ${size} bytes; the limit is ${maxBytes}.`);
}

function issue(message: string): Issue {
  return { path: '', message };
}
