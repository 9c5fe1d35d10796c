import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { failure, type Result, success } from '@svc/core';
import type { FolderFault, FolderWrite, Written } from '../folder.ts';
import type { Directory } from './directory.ts';
import { codeOf } from './error-code.ts';
import { readIn } from './folder-read.ts';
import { failed, outside, type ResolvedPath } from './resolved-path.ts';
import { temporaryName } from './temporary-name.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes the file at a resolved path: first to a temporary file next to it, then by a rename. */
export async function writePlace(
  resolved: ResolvedPath,
  path: string,
  content: Uint8Array,
  options: FolderWrite,
): Promise<Result<Written, FolderFault>> {
  const fault = faultOf(resolved, path, options);
  if (fault !== null) return failure(fault);
  let directory = resolved.chain.at(-1);
  const name = resolved.rest.at(-1);
  if (directory === undefined || name === undefined) return failure(outside(path));
  for (const missing of resolved.rest.slice(0, -1)) {
    directory = await madeChild(directory, missing);
    resolved.chain.push(directory);
  }
  const target: Target = { directory, name, path, mode: resolved.stat?.mode ?? null };
  const late = isQuick(resolved.stat, content, options)
    ? replaceNow(target, content, options)
    : await replace(target, content, options);
  if (late !== null) return failure(late);
  const place = [...resolved.names, ...resolved.rest].join('/');
  return success({ created: resolved.stat === null, place, folders: resolved.rest.length - 1 });
}

interface Target {
  readonly directory: Directory;
  readonly name: string;
  readonly path: string;
  readonly mode: number | null;
}

function faultOf(resolved: ResolvedPath, path: string, options: FolderWrite): FolderFault | null {
  const refusal = options.rights.refusalToWrite([...resolved.names, ...resolved.rest]);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  if (resolved.rest.length === 0) return failed(`${path} is a folder.`);
  if (resolved.stat === null) return null;
  if (!resolved.stat.isFile()) return failed(`${path} is not a regular file.`);
  return (resolved.stat.mode & 0o222) === 0 ? failed(`${path} is read-only.`) : null;
}

async function madeChild(top: Directory, name: string): Promise<Directory> {
  try {
    await mkdir(top.at(name));
  } catch (error) {
    // Another process created it. Opening it shows whether it is a folder.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return top.child(name);
}

async function replace(
  target: Target,
  content: Uint8Array,
  options: FolderWrite,
): Promise<FolderFault | null> {
  const { directory, name } = target;
  const early = await lateFault(target, options);
  if (early !== null) return early;
  const temporary = temporaryName();
  let file: FileHandle | null = await open(directory.at(temporary), CREATE, 0o666);
  let left = true;
  try {
    if (!directory.owns(file)) return outside(target.path);
    await file.writeFile(content);
    await keepMode(file, target.mode);
    await file.close();
    file = null;
    const late = await lateFault(target, options);
    if (late !== null) return late;
    await rename(directory.at(temporary), directory.at(name));
    left = false;
    return null;
  } finally {
    await file?.close();
    // Best effort: the folder may have been removed with the file in it.
    if (left) await unlink(directory.at(temporary)).catch(() => {});
  }
}

// A thread pool round trip for each of four short calls costs more than the calls. They run synchronously if they can
// wait only for a local disk. A file system without a block device (major number 0) may be remote and hang, and large
// files take long to write and to delete.
function isQuick(now: Stats | null, content: Uint8Array, options: FolderWrite): boolean {
  if (now === null || options.instead !== undefined) return false;
  return majorOf(now.dev) !== 0 && now.size <= QUICK_BYTES && content.length <= QUICK_BYTES;
}

const QUICK_BYTES = 64 * 1024;

// Linux encodes the major number in bits 8 to 19 and 32 to 63. Numbers above 53 bits do not occur.
const majorOf = (dev: number): number => ((dev >>> 8) & 0xfff) + Math.floor(dev / 2 ** 32);

function replaceNow(target: Target, content: Uint8Array, options: FolderWrite): FolderFault | null {
  const early = faultNow(target, options);
  if (early !== null) return early;
  const temporary = target.directory.at(temporaryName());
  const fd = openSync(temporary, CREATE, 0o666);
  let left = true;
  try {
    const fault = fillNow(fd, target, content) ?? faultNow(target, options);
    if (fault !== null) return fault;
    renameSync(temporary, target.directory.at(target.name));
    left = false;
    return null;
  } finally {
    if (left) removeNow(temporary);
  }
}

function fillNow(fd: number, target: Target, content: Uint8Array): FolderFault | null {
  try {
    if (!target.directory.owns({ fd })) return outside(target.path);
    writeFileSync(fd, content);
    if (!hasMode(fd, target.mode)) fchmodSync(fd, (target.mode ?? 0) & 0o777);
    return null;
  } finally {
    closeSync(fd);
  }
}

function removeNow(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Best effort: the folder may have been removed with the file in it.
  }
}

async function keepMode(file: FileHandle, mode: number | null): Promise<void> {
  if (!hasMode(file.fd, mode)) await file.chmod((mode ?? 0) & 0o777);
}

// Usually the file was created with the right mode already.
function hasMode(fd: number, mode: number | null): boolean {
  return mode === null || ((fstatSync(fd).mode ^ mode) & 0o777) === 0;
}

// Checks what may have changed since the path was resolved.
async function lateFault(target: Target, options: FolderWrite): Promise<FolderFault | null> {
  const fault = faultNow(target, options);
  if (fault !== null || options.instead === undefined) return fault;
  const now = await readIn(target.directory, target.name, options.instead.length).catch(() => null);
  return Buffer.isBuffer(now) && now.equals(options.instead)
    ? null
    : failed(`${target.path} has changed since it was read. Read it again.`);
}

function faultNow(target: Target, options: FolderWrite): FolderFault | null {
  if (options.signal.aborted) return failed('The turn was stopped before the file was written.');
  const place = target.directory.place();
  if (place === null) return outside(target.path);
  const refusal = options.rights.refusalToWrite([...place, target.name]);
  return refusal === null ? null : { kind: 'refused', reason: refusal };
}
