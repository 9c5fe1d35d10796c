import { constants, fstatSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { failure, type Result, success } from '@svc/core';
import type { FolderFault, FolderWrite, Written } from '../folder.ts';
import type { Directory } from './directory.ts';
import { codeOf } from './error-code.ts';
import { readIn } from './folder-read.ts';
import { failed, outside, type ResolvedPath } from './resolved-path.ts';
import { temporaryName } from './temporary-name.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes the file at a resolved path: beside it first, then by one rename. */
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
  const late = await replace(target, content, options);
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
    // Somebody else made it: opening tells whether it is a folder.
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
    // Best effort: the folder may be gone with the file in it.
    if (left) await unlink(directory.at(temporary)).catch(() => {});
  }
}

// What it was made with is what it is to have, more often than not.
async function keepMode(file: FileHandle, mode: number | null): Promise<void> {
  if (mode === null || ((fstatSync(file.fd).mode ^ mode) & 0o777) === 0) return;
  await file.chmod(mode & 0o777);
}

// What may have changed since the path was looked up.
async function lateFault(target: Target, options: FolderWrite): Promise<FolderFault | null> {
  if (options.signal.aborted) return failed('The turn was stopped before the file was written.');
  const place = target.directory.place();
  if (place === null) return outside(target.path);
  const refusal = options.rights.refusalToWrite([...place, target.name]);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  if (options.instead === undefined) return null;
  const now = await readIn(target.directory, target.name, options.instead.length).catch(() => null);
  return Buffer.isBuffer(now) && now.equals(options.instead)
    ? null
    : failed(`${target.path} was changed by somebody else meanwhile: read it again.`);
}
