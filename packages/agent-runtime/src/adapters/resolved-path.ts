import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { isAbsolute, normalize, resolve } from 'node:path';
import { failure, type Result, success } from '@svc/core';
import type { FolderFault } from '../folder.ts';
import type { Directory } from './directory.ts';
import { codeOf } from './error-code.ts';

/** A path with links resolved: an open folder, and the names below it that are not folders (yet). */
export interface ResolvedPath {
  /** Folders from the root to the deepest existing one. All except the root are closed after use. */
  readonly chain: Directory[];
  /** Names of the folders in `chain` after the root. */
  readonly names: readonly string[];
  /** `[]` for a folder, one name for a file or an unused path, several if folders are missing. */
  readonly rest: readonly string[];
  /** The status of the single name in `rest`, if it exists; never a folder or a link. */
  readonly stat: Stats | null;
}

/** The folder in which paths are resolved. */
export interface Base {
  readonly root: Directory;
  /** Absolute paths of the folder, the real one first. */
  readonly paths: readonly [string, ...string[]];
}

/** Maximum length of a path. */
export const MAX_PATH = 4096;
const MAX_LINKS = 40;
const MAX_RACES = 20;

/** The segments of a path relative to the folder; null if its text already leads outside. */
function segmentsBelow(base: Base, path: string): readonly string[] | null {
  const whole = isAbsolute(path) ? normalize(path) : resolve(base.paths[0], path);
  for (const top of base.paths) {
    const bare = whole.length > 1 ? whole.replace(/\/$/, '') : whole;
    if (bare === top) return [];
    if (bare.startsWith(`${top}/`)) return bare.slice(top.length + 1).split('/');
  }
  return null;
}

/** The fault of a path that leads outside, the same whether or not it exists. */
export function outside(path: string): FolderFault {
  return { kind: 'refused', reason: `${path} is outside the project folder.` };
}

/** An ordinary fault. */
export function failed(reason: string): FolderFault {
  return { kind: 'failed', reason };
}

interface Walk {
  chain: Directory[];
  names: string[];
  todo: string[];
  links: number;
  races: number;
}

/**
 * Resolves a path name by name in open folders and reads links itself. It never accesses anything outside and detects a
 * folder that is replaced with a link in the meantime.
 */
export async function resolvePath(
  base: Base,
  path: string,
): Promise<Result<ResolvedPath, FolderFault>> {
  if (path.includes('\0')) {
    return failure({ kind: 'refused', reason: 'A path must not contain a NUL character.' });
  }
  if (path.length > MAX_PATH) return failure(failed('The path is too long.'));
  const segments = segmentsBelow(base, path);
  if (segments === null) return failure(outside(path));
  const walk: Walk = { chain: [base.root], names: [], todo: [...segments], links: 0, races: 0 };
  try {
    const found = await walkOn(base, walk, path);
    if (!found.ok) closeChain(walk.chain);
    return found;
  } catch (error) {
    closeChain(walk.chain);
    throw error;
  }
}

/** Closes the folders of a chain, except the root. */
export function closeChain(chain: readonly Directory[]): void {
  for (const directory of chain.slice(1)) directory.close();
}

async function walkOn(
  base: Base,
  walk: Walk,
  path: string,
): Promise<Result<ResolvedPath, FolderFault>> {
  for (let name = walk.todo.shift(); name !== undefined; name = walk.todo.shift()) {
    const taken = await take(base, walk, name, path);
    if (taken === null) continue;
    return 'kind' in taken ? failure(taken) : spotOf(walk, name, taken.stat, path);
  }
  return success({ chain: walk.chain, names: walk.names, rest: [], stat: null });
}

// Resolves one name. Returns null to continue, a fault, or the entry that is not a folder (null: missing).
async function take(
  base: Base,
  walk: Walk,
  name: string,
  path: string,
): Promise<FolderFault | { stat: Stats | null } | null> {
  if (name === '..') return goUp(walk) ? null : outside(path);
  const top = walk.chain.at(-1) ?? base.root;
  // Most names that are followed by others are folders.
  if (walk.todo.length > 0 && (await hasEntered(walk, top, name))) return null;
  const stat = await lstatOrNull(top.at(name));
  if (stat?.isSymbolicLink()) {
    return unlessSwapped(walk, name, path, () => follow(base, walk, top.at(name), path));
  }
  if (!stat?.isDirectory()) return { stat };
  return unlessSwapped(walk, name, path, () => enter(walk, top, name));
}

function goUp(walk: Walk): boolean {
  if (walk.chain.length === 1) return false;
  walk.chain.pop()?.close();
  walk.names.pop();
  return true;
}

function spotOf(
  walk: Walk,
  name: string,
  stat: Stats | null,
  path: string,
): Result<ResolvedPath, FolderFault> {
  const below = walk.todo;
  if (stat !== null && below.length > 0)
    return failure(failed(`${name} in ${path} is not a folder.`));
  if (below.includes('..'))
    return failure(failed(`${path} has a parent folder that does not exist.`));
  return success({ chain: walk.chain, names: walk.names, rest: [name, ...below], stat });
}

async function hasEntered(walk: Walk, top: Directory, name: string): Promise<boolean> {
  try {
    await enter(walk, top, name);
    return true;
  } catch (error) {
    if (!NO_FOLDER.has(codeOf(error))) throw error;
    return false;
  }
}

async function enter(walk: Walk, top: Directory, name: string): Promise<null> {
  walk.chain.push(await top.child(name));
  walk.names.push(name);
  return null;
}

// Error codes of opening an entry that is not a folder.
const NO_FOLDER: ReadonlySet<string> = new Set(['ELOOP', 'ENOTDIR', 'ENOENT']);

// A name that changed since it was read is resolved again.
async function unlessSwapped(
  walk: Walk,
  name: string,
  path: string,
  work: () => Promise<FolderFault | null>,
): Promise<FolderFault | null> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) !== 'EINVAL' && !NO_FOLDER.has(codeOf(error))) throw error;
    walk.races += 1;
    if (walk.races > MAX_RACES) return { kind: 'refused', reason: `${path} keeps changing.` };
    walk.todo.unshift(name);
    return null;
  }
}

// Puts the target of a link before the remaining names.
async function follow(
  base: Base,
  walk: Walk,
  link: string,
  path: string,
): Promise<FolderFault | null> {
  walk.links += 1;
  if (walk.links > MAX_LINKS) return failed(`${path} has too many symbolic links.`);
  const target = await readlink(link);
  if (!isAbsolute(target)) {
    walk.todo.unshift(...target.split('/').filter((part) => part !== '' && part !== '.'));
    return null;
  }
  const segments = segmentsBelow(base, target);
  if (segments === null) return outside(path);
  closeChain(walk.chain);
  walk.chain.length = 1;
  walk.names.length = 0;
  walk.todo.unshift(...segments);
  return null;
}

async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
