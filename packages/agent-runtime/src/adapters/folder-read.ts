import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { failure, type Result, success } from '@svc/core';
import type { FolderFault } from '../folder.ts';
import type { Directory } from './directory.ts';
import { failed, outside, type ResolvedPath } from './resolved-path.ts';

// O_NONBLOCK: opening a pipe that replaces the file must not block.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads the regular file at a resolved path. */
export async function readPlace(
  resolved: ResolvedPath,
  path: string,
  maxBytes: number,
): Promise<Result<{ bytes: Buffer; place: string }, FolderFault>> {
  const [name, ...below] = resolved.rest;
  if (name === undefined) return failure(failed(`${path} is a folder.`));
  if (resolved.stat === null || below.length > 0)
    return failure(failed(`There is no file ${path}.`));
  if (!resolved.stat.isFile()) return failure(failed(`${path} is not a regular file.`));
  const directory = resolved.chain.at(-1);
  const bytes = directory === undefined ? 'outside' : await readIn(directory, name, maxBytes);
  if (bytes === 'outside') return failure(outside(path));
  if (bytes === 'special') return failure(failed(`${path} is not a regular file.`));
  if (bytes === 'large') {
    return failure(failed(`${path} is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`));
  }
  return success({ bytes, place: [...resolved.names, name].join('/') });
}

/** Reads a file in an open folder, or returns why not. Throws like `open`. */
export async function readIn(
  directory: Directory,
  name: string,
  maxBytes: number,
): Promise<Buffer | 'outside' | 'special' | 'large'> {
  const file = await open(directory.at(name), READ);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return 'special';
    if (!directory.owns(file)) return 'outside';
    if (stat.size > maxBytes) return 'large';
    return await readUpTo(file, stat.size, maxBytes);
  } finally {
    await file.close();
  }
}

// The limit is checked again, because a file can grow while it is read.
async function readUpTo(
  file: FileHandle,
  expected: number,
  maxBytes: number,
): Promise<Buffer | 'large'> {
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    const room = Buffer.allocUnsafe(Math.max(expected - total, 0) + 1);
    const { bytesRead } = await file.read(room, 0, room.length, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    parts.push(room.subarray(0, bytesRead));
    total += bytesRead;
    if (total > maxBytes) return 'large';
  }
}
